package sandbox

import (
	"context"
	"os"
	"syscall"
	"time"

	"majordomo/sandbox/cgroup"
)

// The driver docker: the Engine makes the namespaces, the file view and the limits, and the same init does in the container all that it
// does elsewhere. It is bound into the container and connects to a socket that lies there for one start.

// DriverDocker is the value of Options.Driver for containers.
const DriverDocker = "docker"

// startTime is what a container's init is given to come to the control socket. The Engine takes a second on a busy machine.
const startTime = 60 * time.Second

// contain starts a container, whose init waits for its configuration then.
func (h *Host) contain(ctx context.Context, p *Process) error {
	pipes, err := p.makePipes()
	defer closeAll(pipes)
	if err != nil {
		return err
	}
	meet, err := h.openRendezvous(p.spec)
	if err != nil {
		return err
	}
	p.rendezvous = meet.dir
	defer meet.socket.Close()
	spec, sources, err := h.containerSpec(p.spec, meet)
	defer closeAll(sources)
	if err != nil {
		return err
	}
	c, err := h.engine.Start(ctx, spec)
	if err != nil {
		return engineError(err)
	}
	p.proc = contained{c}
	if p.control, err = meet.await(ctx, c); err != nil {
		return err
	}
	if err := checkShown(c.PID(), spec.Mounts, sources); err != nil {
		return err
	}
	p.group = cgroup.Of(c.PID(), c.ID())
	return p.control.sendFiles(pipes)
}

// sendFiles sends descriptors alone.
func (c control) sendFiles(files []*os.File) error {
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	_, _, err := c.conn.WriteMsgUnix([]byte("stdio"), syscall.UnixRights(fds...), nil)
	return err
}
