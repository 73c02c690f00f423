package api

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"majordomo/configs"
)

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
