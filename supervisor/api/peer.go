package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"majordomo/configs"
)

type peerKey struct{}

// withPeer remembers whom the kernel saw connecting. A client cannot choose that, so nothing else is asked.
func withPeer(ctx context.Context, conn net.Conn) context.Context {
	uid, err := socketUID(conn)
	if err != nil {
		return ctx
	}
	return context.WithValue(ctx, peerKey{}, uid)
}

func peerUID(ctx context.Context) (int, error) {
	uid, ok := ctx.Value(peerKey{}).(int)
	if !ok {
		return -1, Errorf(Refused, "cannot let you in: the system does not say who you are")
	}
	return uid, nil
}

func socketUID(conn net.Conn) (int, error) {
	unixConn, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, errors.New("not a unix socket")
	}
	raw, err := unixConn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var credErr error
	if err := raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return 0, err
	}
	if credErr != nil {
		return 0, credErr
	}
	return int(cred.Uid), nil
}

const (
	fresh     = ".new"
	maxSocket = 107 - len(fresh) // the kernel's limit for a socket's path
)

// Listen opens the control socket. The caller owns the state directory's lock: a socket that is already there belongs
// to a daemon that is dead, and is replaced. The new one has its permissions before it has its name. The system
// service's is open to everybody, since peer credentials decide; others lie in a directory of their owner's.
func Listen(p configs.Paths) (net.Listener, error) {
	path, mode := p.Socket(), fs.FileMode(0o600)
	if path == configs.ServiceSocket {
		mode = 0o666
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, fmt.Errorf("cannot open the control socket: %w", err)
		}
	}
	if len(path) > maxSocket {
		return nil, fmt.Errorf("cannot open the control socket: %s is longer than %d characters; use a shorter --state", path, maxSocket)
	}
	_ = os.Remove(path + fresh)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path + fresh, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("cannot open the control socket: %w", err)
	}
	l.SetUnlinkOnClose(false) // it would take the wrong name
	if err := errors.Join(os.Chmod(path+fresh, mode), os.Rename(path+fresh, path)); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot open the control socket: %w", err), l.Close())
	}
	return named{l, path}, nil
}

// named takes its name away when it is closed.
type named struct {
	*net.UnixListener
	path string
}

func (n named) Close() error {
	_ = os.Remove(n.path)
	return n.UnixListener.Close()
}
