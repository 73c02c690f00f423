package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/docker"
	"majordomo/sandbox/egress"
)

// containerSpec plans the container of a Spec. Its system and its interpreters are the image's: Runtimes, which are the host's, are not shown.
// The sources are those of the mounts, opened, for checkShown.
func (h *Host) containerSpec(s Spec, r rendezvous) (out docker.Spec, sources []*os.File, err error) {
	init, err := r.program(h.init.path())
	if err != nil {
		return out, nil, err
	}
	l := s.Limits.withDefaults()
	out = docker.Spec{
		Name: s.Name, Init: init, Control: r.file("control"), Network: s.egress().Mode != egress.None, UID: s.UID, GID: s.GID,
		Home: Home, Tmp: l.Tmp, Memory: l.Memory, Pids: int64(l.Pids), CPU: l.CPU,
	}
	v := s.view()
	out.Hide, out.Locked = append(v.Hide, "/sys"), v.ReadOnly
	for _, m := range s.Mounts {
		source, err := m.open(unix.O_PATH)
		if err != nil {
			return out, sources, &StartError{Layer: MountView, Reason: fmt.Sprintf("cannot show %s at %s: %v", m.hostSource(), m.Target, err)}
		}
		sources = append(sources, source)
		out.Mounts = append(out.Mounts, docker.Mount{Source: m.hostSource(), Target: m.Target, Writable: m.Writable})
	}
	for _, f := range v.Files {
		out.Mounts = append(out.Mounts, docker.Mount{Source: r.file(f.Path), Target: f.Path})
	}
	return out, sources, nil
}
