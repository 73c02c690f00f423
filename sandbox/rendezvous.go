package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/docker"
	"majordomo/sandbox/initproc"
)

// rendezvous is where a container's init reports: a directory with a socket, and the generated files that the container is shown.
type rendezvous struct {
	dir    string
	socket *net.UnixListener
}

func (h *Host) openRendezvous(s Spec) (rendezvous, error) {
	base := h.scratch()
	if err := os.MkdirAll(base, 0o711); err != nil {
		return rendezvous{}, err
	}
	dir, err := os.MkdirTemp(base, s.Name+"-")
	if err != nil {
		return rendezvous{}, err
	}
	r := rendezvous{dir: dir}
	if r.socket, err = listenIn(dir); err == nil {
		for _, f := range s.etcFiles() {
			err = errors.Join(err, os.WriteFile(r.file(f.Path), []byte(f.Text), 0o644))
		}
	}
	if err != nil {
		if r.socket != nil {
			r.socket.Close()
		}
		return rendezvous{}, errors.Join(err, os.RemoveAll(dir))
	}
	return r, nil
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

func (r rendezvous) file(inside string) string { return filepath.Join(r.dir, filepath.Base(inside)) }

// program is a path by which the Engine finds an init: it would take self for its own program, and gets a copy.
func (r rendezvous) program(path string) (string, error) {
	if path != self {
		return path, nil
	}
	from, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := os.OpenFile(r.file(initproc.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return to.Name(), errors.Join(err, to.Close())
}

// await accepts the container's init, and nobody else.
func (r rendezvous) await(ctx context.Context, c *docker.Container) (control, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = r.socket.SetDeadline(time.Unix(1, 0)) })() // fails once it is closed
	accepted := make(chan struct{})
	defer close(accepted)
	go func() {
		select {
		case <-c.Gone():
			cancel()
		case <-accepted:
		}
	}()
	conn, err := r.socket.AcceptUnix()
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
