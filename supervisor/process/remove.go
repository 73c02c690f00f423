package process

import (
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// removePath removes what is at a path below here, if that leads through directories only.
func (d dir) removePath(name string) error {
	parent, base := path.Split(name)
	at, err := d.walk(parent, dir.open)
	if err != nil {
		return nil // what is in the way is not ours
	}
	defer at.close()
	return at.remove(base)
}

// maxDepth bounds how deep directories are removed, and with it the descriptors open
// at once. Only a connector that is after those nests deeper.
const maxDepth = 200

// remove removes what is called name here, whatever it is, and never follows a link.
func (d dir) remove(name string) error { return d.removeAt(name, 0) }

func (d dir) removeAt(name string, depth int) error {
	err := unix.Unlinkat(d.fd, name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	if !errors.Is(err, unix.EISDIR) && !errors.Is(err, unix.EPERM) {
		return err
	}
	if depth > maxDepth {
		return fmt.Errorf("cannot remove %s: it lies too deep", name)
	}
	if os.Geteuid() != 0 {
		_ = unix.Fchmodat(d.fd, name, 0o700, unix.AT_SYMLINK_NOFOLLOW) // not every kernel can; what stays closed is said below
	}
	below, err := d.open(name)
	if err != nil {
		return err
	}
	defer below.close()
	if err := below.give(os.Geteuid(), os.Getegid(), 0o700); err != nil {
		return err
	}
	names, err := below.names()
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := below.removeAt(n, depth+1); err != nil {
			return err
		}
	}
	return unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR)
}

// names lists what is here, in no order.
func (d dir) names() ([]string, error) {
	again, err := unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(again), ".")
	defer f.Close()
	return f.Readdirnames(-1)
}
