package initproc

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// tree is an opened piece of the host, attached to nothing yet.
type tree struct {
	Bind
	fd int
}

// beneath is how a path is walked of which a connector may have written some part.
const beneath = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS

func openBinds(binds []Bind) ([]tree, error) {
	trees := make([]tree, 0, len(binds))
	for _, b := range binds {
		fd, err := openTree(b)
		if b.Optional && errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot show %s at %s: %w", b.Source, b.Target, err)
		}
		trees = append(trees, tree{b, fd})
	}
	return trees, nil
}

// openTree takes a private copy of the mounts at the source and restricts it. It is recursive because an ordinary user's
// namespace may not look beneath what is mounted there.
func openTree(b Bind) (int, error) {
	const flags = unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC | unix.AT_RECURSIVE
	if b.Beneath == "" {
		fd, err := unix.OpenTree(unix.AT_FDCWD, b.Source, flags)
		return restrict(fd, err, b)
	}
	source, err := openBeneath(b.Beneath, b.Source)
	if err != nil {
		return -1, err
	}
	defer unix.Close(source)
	fd, err := unix.OpenTree(source, "", flags|unix.AT_EMPTY_PATH)
	return restrict(fd, err, b)
}

func openBeneath(dir, name string) (int, error) {
	base, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	defer unix.Close(base)
	return unix.Openat2(base, name, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: beneath})
}

func restrict(fd int, err error, b Bind) (int, error) {
	if err != nil {
		return -1, err
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID}
	if !b.Device {
		attr.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	if !b.Writable {
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	return fd, unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr)
}

// attach mounts the tree at its target below root and closes it. Where the way is ours alone, a plain path is safe, and a third of the calls.
func (t tree) attach(root int, ours bool) error {
	defer unix.Close(t.fd)
	dir, err := isDir(t.fd)
	if err != nil {
		return err
	}
	if ours {
		return t.attachAt(path.Join(newRoot, t.Target), dir)
	}
	point, err := mountPoint(root, t.Target, dir)
	if err != nil {
		return fmt.Errorf("cannot make the mount point %s: %w", t.Target, err)
	}
	defer unix.Close(point)
	return t.moved(unix.MoveMount(t.fd, "", point, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH))
}

func (t tree) attachAt(point string, dir bool) error {
	err := makePoint(point, dir)
	if errors.Is(err, unix.ENOENT) {
		err = errors.Join(os.MkdirAll(path.Dir(point), 0o755), makePoint(point, dir))
	}
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("cannot make the mount point %s: %w", t.Target, err)
	}
	return t.moved(unix.MoveMount(t.fd, "", unix.AT_FDCWD, point, unix.MOVE_MOUNT_F_EMPTY_PATH))
}

func makePoint(point string, dir bool) error {
	if dir {
		return unix.Mkdir(point, 0o755)
	}
	return unix.Mknod(point, unix.S_IFREG|0o644, 0)
}

func (t tree) moved(err error) error {
	if err != nil {
		return fmt.Errorf("cannot mount %s: %w", t.Target, err)
	}
	return nil
}

// oursAlone reports whether nothing lies on the way to a target but directories of the new root, which nobody else can be in: neither a
// mount nor a link.
func (v View) oursAlone(target string) bool {
	beyond := func(p string) bool { return p != "/" && strings.HasPrefix(target, p+"/") }
	return !slices.ContainsFunc(v.Binds, func(b Bind) bool { return beyond(b.Target) }) &&
		!slices.ContainsFunc(v.Links, func(l Link) bool { return beyond(l.Path) }) &&
		!slices.ContainsFunc(v.Tmpfs, func(t Tmpfs) bool { return beyond(t.Path) })
}
