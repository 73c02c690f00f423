package docker

import (
	"fmt"
	"path"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
)

// Spec is one container. It is plain data.
type Spec struct {
	Name    string // the host name, and part of the container's
	Init    string // on the host: the static program that is executed as pid 1
	Control string // on the host: the socket that it connects to
	Network bool   // the init prepares a network that the daemon serves
	UID     int    // owns the Home
	GID     int

	Home   string // private directory in memory, as seen inside
	Tmp    int64  // bytes in each of /tmp, /dev/shm and Home
	Memory int64  // bytes, and none in swap
	Pids   int64  // processes and threads
	CPU    float64
	Mounts []Mount
	Hide   []string // covered by something empty, where it exists
	Locked []string // made read-only, where it exists
}

// Mount shows a file or directory of the host.
type Mount struct {
	Source, Target string
	Writable       bool
}

// Where the container has what is ours in it.
const (
	ownDir  = "/.majordomo"
	control = ownDir + "/control"
)

// Init is the name of the program that is executed, and Connect its first argument; the path of the control socket is the second.
const (
	initName = "majordomo-init"
	connect  = "connect"
)

// capabilities are the init's alone, which gives all of them up before it executes the connector: to take the connector's ids, to empty
// the bounding set, and for a network to raise it and to listen at its name server's port.
func (s Spec) capabilities() []string {
	all := []string{"CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID"}
	if s.Network {
		all = append(all, "CAP_NET_ADMIN", "CAP_NET_BIND_SERVICE")
	}
	return all
}

// config is what runs in the container. The image's own entry point, environment, user, health check and working directory do not count.
func (s Spec) config(image, owner string) *container.Config {
	return &container.Config{
		Image: image, Hostname: s.Name, User: "0:0", WorkingDir: "/",
		Entrypoint:  []string{initName, connect, control},
		Cmd:         []string{},
		Env:         []string{"PATH=" + ownDir, "GOMAXPROCS=1", "GOGC=off", "GODEBUG="},
		StopSignal:  "SIGKILL", // its init ignores all others, and `docker stop` would wait for nothing
		Labels:      map[string]string{label: owner},
		Healthcheck: &container.HealthConfig{Test: []string{"NONE"}},
	}
}

// host is what the container may have of this host. volumes are the image's, each of which an empty directory takes the place of.
func (s Spec) host(volumes []string) *container.HostConfig {
	no, pids := false, s.Pids
	h := &container.HostConfig{
		NetworkMode: "none", IpcMode: container.IPCModePrivate, CgroupnsMode: container.CgroupnsModePrivate,
		ReadonlyRootfs: true, Init: &no, OomScoreAdj: 500,
		CapDrop: []string{"ALL"}, CapAdd: s.capabilities(), SecurityOpt: []string{"no-new-privileges"},
		LogConfig:   container.LogConfig{Type: "none"},
		Sysctls:     map[string]string{"net.ipv4.ip_unprivileged_port_start": "1024"},
		ShmSize:     s.Tmp,
		Tmpfs:       s.tmpfs(volumes),
		MaskedPaths: s.Hide, ReadonlyPaths: s.Locked,
		Mounts: s.mounts(),
		Resources: container.Resources{
			Memory: s.Memory, MemorySwap: s.Memory, PidsLimit: &pids, NanoCPUs: int64(s.CPU * 1e9),
		},
	}
	return h
}

func (s Spec) tmpfs(volumes []string) map[string]string {
	all := map[string]string{
		"/tmp": fmt.Sprintf("rw,exec,nosuid,nodev,mode=1777,size=%d", s.Tmp),
		s.Home: fmt.Sprintf("rw,exec,nosuid,nodev,mode=700,uid=%d,gid=%d,size=%d", s.UID, s.GID, s.Tmp),
	}
	for _, dir := range volumes {
		dir = path.Clean(dir)
		if _, ours := all[dir]; !ours && !s.shows(dir) {
			all[dir] = "ro,nosuid,nodev,noexec,size=4k"
		}
	}
	return all
}

func (s Spec) shows(target string) bool {
	for _, m := range s.Mounts {
		if m.Target == target {
			return true
		}
	}
	return false
}

func (s Spec) mounts() (all []mount.Mount) {
	ours := []Mount{{Source: s.Init, Target: ownDir + "/" + initName}, {Source: s.Control, Target: control}}
	for _, m := range append(ours, s.Mounts...) {
		all = append(all, mount.Mount{
			Type: mount.TypeBind, Source: m.Source, Target: m.Target, ReadOnly: !m.Writable,
			BindOptions: &mount.BindOptions{Propagation: mount.PropagationRPrivate},
		})
	}
	return all
}
