package cgroup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	hybridMounts = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`
	togetherMounts = `33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:15 - cgroup cgroup rw,cpu,cpuacct
`
	v2Mounts = `24 18 0:22 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot
`
	// A container that sees the host's group names but only its own group.
	dockerMounts = `715 714 0:32 /docker/4f1e /sys/fs/cgroup/memory ro,nosuid master:16 - cgroup cgroup rw,memory
716 714 0:36 /docker/4f1e /sys/fs/cgroup/pids ro,nosuid master:20 - cgroup cgroup rw,pids
`
	// A mount that begins elsewhere does not show our group.
	elsewhereMounts = `715 714 0:32 /docker/other /sys/fs/cgroup/memory ro,nosuid master:16 - cgroup cgroup rw,memory
`
)

func TestParseLayout(t *testing.T) {
	for _, c := range []struct {
		why, groups, mounts, mode string
		want                      layout
	}{
		{"hybrid, one controller somewhere else", "5:memory:/a/b\n4:pids:/\n3:cpu:/\n1:name=systemd:/\n0::/\n", hybridMounts, "hybrid", layout{
			v1: map[string]place{
				"memory": {"/sys/fs/cgroup/memory", "/a/b"}, "pids": {"/sys/fs/cgroup/pids", "/"}, "cpu": {"/sys/fs/cgroup/cpu", "/"},
			},
			v2: &place{"/sys/fs/cgroup/unified", "/"},
		}},
		{"two controllers in one hierarchy", "3:cpu,cpuacct:/user.slice\n", togetherMounts, "v1", layout{
			v1: map[string]place{"cpu": {"/sys/fs/cgroup/cpu,cpuacct", "/user.slice"}},
		}},
		{"v2 under systemd", "0::/system.slice/majordomo.service\n", v2Mounts, "v2", layout{
			v1: map[string]place{}, v2: &place{"/sys/fs/cgroup", "/system.slice/majordomo.service"},
		}},
		{"v1 in a container", "5:memory:/docker/4f1e\n4:pids:/docker/4f1e/sub\n", dockerMounts, "v1", layout{
			v1: map[string]place{"memory": {"/sys/fs/cgroup/memory", "/"}, "pids": {"/sys/fs/cgroup/pids", "/sub"}},
		}},
		{"a mount that does not show our group", "5:memory:/docker/4f1e\n", elsewhereMounts, "none", layout{v1: map[string]place{}}},
		{"a name that only begins alike", "5:memory:/docker/otherwise\n", elsewhereMounts, "none", layout{v1: map[string]place{}}},
		{"nothing mounted", "0::/\n", "", "none", layout{v1: map[string]place{}}},
		{"lines that are not understood", "junk\n\n0::/\n", "junk\n" + v2Mounts, "v2", layout{v1: map[string]place{}, v2: &place{"/sys/fs/cgroup", "/"}}},
	} {
		t.Run(c.why, func(t *testing.T) {
			got := parseLayout(c.groups, c.mounts)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(layout{}, place{})); diff != "" {
				t.Error(diff)
			}
			if got.mode() != c.mode {
				t.Errorf("mode %s, want %s", got.mode(), c.mode)
			}
		})
	}
}
