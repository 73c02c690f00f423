package docker

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// What is done with a container past the Engine, which may be slow or stopped: by the process that its init is on this host.

// hold takes hold of the init, and makes sure that the number has not become another process's meanwhile.
func (c *Container) hold(pid int) (err error) {
	if c.init, err = os.FindProcess(pid); err != nil {
		return fmt.Errorf("the container's init is not to be seen on this host: %w", err)
	}
	if c.fd, err = unix.PidfdOpen(pid, 0); err != nil {
		return fmt.Errorf("the container's init is not to be seen on this host: %w", err)
	}
	groups, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil || !strings.Contains(string(groups), c.id) {
		return errors.Join(fmt.Errorf("process %d is not the container's init: the Engine is not on this host, or shows another one's numbers", pid), err,
			unix.Close(c.fd))
	}
	return nil
}

// Gone is closed when nothing of the container runs any more.
func (c *Container) Gone() <-chan struct{} { return c.gone }

// Kill ends the container at once and does not wait for it. As pid 1 of its namespace its init takes everything with it.
func (c *Container) Kill() error { return c.init.Kill() }

// watch waits for the init. A pidfd becomes readable when the kernel has reaped all that was in the namespace.
func (c *Container) watch() {
	defer close(c.gone)
	defer unix.Close(c.fd)
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLIN}}, -1)
		if n > 0 || err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
