package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"majordomo/sandbox/cgroup"
	"majordomo/sandbox/docker"
	"majordomo/sandbox/initproc"
)

// The driver docker: the Engine makes the namespaces, the file view and the limits, and the same init does in the container all that it
// does elsewhere. It is bound into the container and connects to a socket that lies there for one start.

// DriverDocker is the value of Options.Driver for containers.
const DriverDocker = "docker"

// containerNamespaces are what every container has of its own.
const containerNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWNET

func (o Options) openEngine() (*docker.Engine, error) {
	if o.Driver != DriverDocker {
		return nil, nil
	}
	dir, err := filepath.Abs(o.StateDir)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(dir))
	return docker.Open(docker.Options{Address: o.Engine, Image: o.Image, Owner: hex.EncodeToString(hash[:6])})
}

// probeEngine finds out whether containers can be started, by starting one.
func (h *Host) probeEngine() (Report, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	if os.Geteuid() != 0 {
		return Report{}, &StartError{Layer: UID, Reason: "the driver docker needs the daemon to be root, to give connectors uids of their own and to see in /proc what the Engine did",
			Fix: "run majordomo as a system service: whoever may speak to the Engine is as good as root anyway"}
	}
	if err := h.engine.Ready(ctx); err != nil {
		return Report{}, engineError(err)
	}
	h.clone = containerNamespaces
	return h.trial()
}

// engineError keeps what a person can do about it.
func engineError(err error) error {
	if p, ok := errors.AsType[*docker.Problem](err); ok {
		return &StartError{Reason: p.Reason, Fix: p.Fix}
	}
	return err
}

// startTime is what a container's init is given to come to the control socket. The Engine takes a second on a busy machine.
const startTime = 60 * time.Second

// contain starts a container, whose init waits for its configuration then.
func (h *Host) contain(ctx context.Context, p *Process) error {
	pipes, err := p.makePipes()
	defer closeAll(pipes)
	if err != nil {
		return err
	}
	desk, err := h.openDesk(p.spec)
	if err != nil {
		return err
	}
	p.desk = desk.dir
	defer desk.socket.Close()
	spec, sources, err := h.containerSpec(p.spec, desk)
	defer closeAll(sources)
	if err != nil {
		return err
	}
	c, err := h.engine.Start(ctx, spec)
	if err != nil {
		return engineError(err)
	}
	p.proc = contained{c}
	if p.control, err = desk.await(ctx, c); err != nil {
		return err
	}
	if err := checkShown(c.PID(), spec.Mounts, sources); err != nil {
		return err
	}
	p.group = cgroup.Of(c.PID(), c.ID())
	return p.control.sendFiles(pipes)
}

// desk is where a container's init reports: a directory with a socket, and the generated files that the container is shown.
type desk struct {
	dir    string
	socket *net.UnixListener
}

func (h *Host) openDesk(s Spec) (desk, error) {
	base := h.scratch()
	if err := os.MkdirAll(base, 0o711); err != nil {
		return desk{}, err
	}
	dir, err := os.MkdirTemp(base, s.Name+"-")
	if err != nil {
		return desk{}, err
	}
	d := desk{dir: dir}
	if d.socket, err = listenIn(dir); err == nil {
		for _, f := range s.etcFiles() {
			err = errors.Join(err, os.WriteFile(d.file(f.Path), []byte(f.Text), 0o644))
		}
	}
	if err != nil {
		if d.socket != nil {
			d.socket.Close()
		}
		return desk{}, errors.Join(err, os.RemoveAll(dir))
	}
	return d, nil
}

// listenIn makes the socket by way of the open directory: a socket's path has to be short, and ours may not be.
func listenIn(dir string) (*net.UnixListener, error) {
	open, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	path := fmt.Sprintf("/proc/self/fd/%d/control", open.Fd())
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	if err != nil {
		return nil, fmt.Errorf("cannot listen for the container: %w", err)
	}
	l.SetUnlinkOnClose(false) // the directory goes as a whole; the descriptor in that path may be another's by then
	return l, nil
}

func (d desk) file(inside string) string { return filepath.Join(d.dir, filepath.Base(inside)) }

// program is a path by which the Engine finds an init: it would take self for its own program, and gets a copy.
func (d desk) program(path string) (string, error) {
	if path != self {
		return path, nil
	}
	from, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := os.OpenFile(d.file(initproc.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return to.Name(), errors.Join(err, to.Close())
}

// await accepts the container's init, and nobody else.
func (d desk) await(ctx context.Context, c *docker.Container) (control, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = d.socket.SetDeadline(time.Unix(1, 0)) })() // fails once it is closed
	accepted := make(chan struct{})
	defer close(accepted)
	go func() {
		select {
		case <-c.Gone():
			cancel()
		case <-accepted:
		}
	}()
	conn, err := d.socket.AcceptUnix()
	if err != nil {
		select {
		case <-c.Gone():
			return control{}, errors.New("the container ended before its init came to the control socket")
		default:
			return control{}, fmt.Errorf("the container's init does not come to the control socket: %w", errors.Join(context.Cause(ctx), err))
		}
	}
	if err := checkPeer(conn, c.PID()); err != nil {
		conn.Close()
		return control{}, err
	}
	return control{conn}, nil
}

func checkPeer(conn *net.UnixConn, pid int) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var peer *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) { peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if int(peer.Pid) != pid {
		return fmt.Errorf("process %d came to the control socket, not the container's init %d", peer.Pid, pid)
	}
	return nil
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

// sweepContainers removes what an earlier daemon left. An Engine that does not answer runs none of them, or ends them when they find that
// daemon gone.
func (h *Host) sweepContainers(ctx context.Context) error {
	if h.engine == nil {
		return nil
	}
	n, err := h.engine.Sweep(ctx)
	if n > 0 {
		h.log.Warn("removed the containers an earlier daemon left", zap.Int("containers", n))
	}
	if h.refusal != nil {
		return nil // that says it
	}
	return err
}
