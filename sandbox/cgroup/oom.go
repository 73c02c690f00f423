package cgroup

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// OOMEvents returns a file from which 8 bytes can be read whenever the group has run out of memory, and when it is removed. On v1 the kernel
// kills one process then, and the caller ends the rest; on v2 it kills them all, and the file is nil. The caller closes it before Remove.
func (g *Group) OOMEvents() (*os.File, error) {
	dir, ok := g.v1["memory"]
	if !ok {
		return nil, nil
	}
	control, err := os.Open(filepath.Join(dir, "memory.oom_control"))
	if err != nil {
		return nil, fmt.Errorf("cannot watch the control group %s for lack of memory: %w", g.name, err)
	}
	defer control.Close() // the kernel keeps what it needs
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("cannot watch the control group %s for lack of memory: %w", g.name, err)
	}
	events := os.NewFile(uintptr(fd), "oom of "+g.name)
	order := fmt.Appendf(nil, "%d %d", fd, control.Fd())
	if err := os.WriteFile(filepath.Join(dir, "cgroup.event_control"), order, 0); err != nil {
		events.Close()
		return nil, fmt.Errorf("cannot watch the control group %s for lack of memory: %w", g.name, err)
	}
	return events, nil
}
