package sandbox

import (
	"strings"
	"testing"
)

// The fix is the one for this host, and names the switch.
func TestFix(t *testing.T) {
	for _, c := range []struct {
		why   string
		root  bool
		files map[string]string
		want  string
	}{
		{"Ubuntu 24.04, an ordinary user", false, map[string]string{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"},
			"sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
		{"Debian 10, an ordinary user", false, map[string]string{"/proc/sys/kernel/unprivileged_userns_clone": "0"}, "sysctl -w kernel.unprivileged_userns_clone=1"},
		{"hardened, an ordinary user", false, map[string]string{"/proc/sys/user/max_user_namespaces": "0"}, "sysctl -w user.max_user_namespaces=10000"},
		{"Docker, root", true, map[string]string{"/.dockerenv": ""}, "--cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt seccomp=unconfined"},
		{"Docker, a plain user", false, map[string]string{"/.dockerenv": ""}, "as a plain user, with these three --security-opt alone"},
		{"Podman", true, map[string]string{"/run/.containerenv": ""}, "--cap-add SYS_ADMIN"},
		{"LXC", true, map[string]string{"/run/systemd/container": "lxc"}, "security.nesting true"},
		{"an unprivileged LXC", true, map[string]string{"/run/systemd/container": "lxc-libvirt"}, "security.nesting true"},
		{"an old kernel", true, map[string]string{"/proc/sys/kernel/osrelease": "4.19.0-27-amd64", "/.dockerenv": ""}, "a kernel from 5.12 on"},
		{"a unit that holds too much back", true, map[string]string{"/proc/sys/kernel/osrelease": "6.1.0-40-amd64"}, "give the daemon CAP_SYS_ADMIN"},
		{"nothing to be seen", false, nil, "run majordomo as a system service"},
	} {
		h := hostFacts{c.root, func(path string) (string, bool) { text, there := c.files[path]; return text, there }}
		for _, l := range []Layer{MountView, PIDs, Net, IPC, UTS} {
			if got := fixOn(h, l); !strings.Contains(got, c.want) {
				t.Errorf("%s, %s: %s", c.why, l, got)
			}
		}
	}
}
