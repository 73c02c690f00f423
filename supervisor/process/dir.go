package process

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// dir is an open directory of which somebody else may have written the
// contents. Nothing below is ever reached by more than one name at a time, and
// never through a link or into another file system.
type dir struct{ fd int }

const strictly = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_NO_XDEV

func openDir(path string) (dir, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return dir{-1}, fmt.Errorf("cannot open %s: %w", path, err)
	}
	return dir{fd}, nil
}

func (d dir) close() {
	if d.fd >= 0 {
		_ = unix.Close(d.fd) // a directory has nothing to flush
	}
}

func (d dir) again() (dir, error) {
	fd, err := unix.FcntlInt(uintptr(d.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return dir{-1}, err
	}
	return dir{fd}, nil
}

// open opens a directory right here.
func (d dir) open(name string) (dir, error) {
	fd, err := unix.Openat2(d.fd, name, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: strictly,
	})
	if err != nil {
		return dir{-1}, fmt.Errorf("cannot open directory %s: %w", name, err)
	}
	return dir{fd}, nil
}

// walk opens the directory that a relative path leads to, one name at a time; step
// opens, or makes, the next one. An empty path is d itself.
func (d dir) walk(names string, step func(at dir, name string) (dir, error)) (dir, error) {
	at, err := d.again()
	if err != nil {
		return dir{-1}, err
	}
	for name := range strings.SplitSeq(strings.Trim(names, "/"), "/") {
		if name == "" {
			continue
		}
		next, err := step(at, name)
		at.close()
		if err != nil {
			return dir{-1}, err
		}
		at = next
	}
	return at, nil
}

// make opens a directory right here, and makes it, 0700 and the daemon's own, if it
// is missing.
func (d dir) make(name string) (_ dir, made bool, err error) {
	err = unix.Mkdirat(d.fd, name, 0o700)
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return dir{-1}, false, fmt.Errorf("cannot make directory %s: %w", name, err)
	}
	made = err == nil
	at, err := d.open(name)
	return at, made, err
}

// makeAll opens the directory that a path leads to, and makes what is missing of it,
// 0700 and the daemon's own.
func (d dir) makeAll(names ...string) (dir, error) {
	return d.walk(path.Join(names...), func(at dir, name string) (dir, error) {
		next, _, err := at.make(name)
		return next, err
	})
}

// moveAside gives what is called name here another name.
func (d dir) moveAside(name string) error {
	return unix.Renameat(d.fd, name, d.fd, fmt.Sprintf("%s.moved-%d", name, time.Now().UnixNano()))
}

// give sets owner and mode of the directory itself. Only root can give away; an
// ordinary daemon's connectors run as the daemon.
func (d dir) give(uid, gid int, mode uint32) error {
	if os.Geteuid() == 0 {
		if err := unix.Fchown(d.fd, uid, gid); err != nil {
			return err
		}
	}
	return unix.Fchmod(d.fd, mode)
}

// share opens the directory to a group: what anybody of it makes here belongs
// to the group and can be written by all of it. Where the file system has no
// access lists, files are as open as their makers make them.
func (d dir) share(gid int) error {
	if err := d.give(os.Geteuid(), gid, unix.S_ISGID|0o770); err != nil || os.Geteuid() != 0 {
		return err
	}
	err := unix.Fsetxattr(d.fd, "system.posix_acl_default", groupWritable(), 0)
	if errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}

// groupWritable is a default access list, as the kernel reads it: owner and
// group may do everything, others nothing. It takes the place of the umask.
func groupWritable() []byte {
	const version, none = 2, 0xffffffff
	list := binary.LittleEndian.AppendUint32(nil, version)
	for _, entry := range []struct{ tag, perm uint16 }{{0x01, 7}, {0x04, 7}, {0x20, 0}} { // owner, group, others
		list = binary.LittleEndian.AppendUint16(list, entry.tag)
		list = binary.LittleEndian.AppendUint16(list, entry.perm)
		list = binary.LittleEndian.AppendUint32(list, none)
	}
	return list
}
