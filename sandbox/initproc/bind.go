package initproc

import (
	"errors"
	"fmt"
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
	var trees []tree
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

// attach mounts the tree at its target below root and closes it.
func (t tree) attach(root int) error {
	defer unix.Close(t.fd)
	dir, err := isDir(t.fd)
	if err != nil {
		return err
	}
	point, err := mountPoint(root, t.Target, dir)
	if err != nil {
		return fmt.Errorf("cannot make the mount point %s: %w", t.Target, err)
	}
	defer unix.Close(point)
	if err := unix.MoveMount(t.fd, "", point, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
		return fmt.Errorf("cannot mount %s: %w", t.Target, err)
	}
	return nil
}

// mountPoint opens the target, and makes what is missing of it, one component at a time and never through a link: part of the
// way may lie in a directory that a connector wrote.
func mountPoint(root int, target string, dir bool) (int, error) {
	at, err := unix.Dup(root)
	names := strings.Split(strings.Trim(target, "/"), "/")
	for i, name := range names {
		if err != nil {
			return -1, err
		}
		var next int
		next, err = enter(at, name, dir || i < len(names)-1)
		unix.Close(at)
		at = next
	}
	return at, err
}

// enter opens one component, and makes it when it is missing.
func enter(parent int, name string, dir bool) (int, error) {
	fd, err := openComponent(parent, name, dir)
	if !errors.Is(err, unix.ENOENT) {
		return fd, err
	}
	if err := makeComponent(parent, name, dir); err != nil {
		return -1, err
	}
	return openComponent(parent, name, dir)
}

func openComponent(parent int, name string, dir bool) (int, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC, Resolve: beneath}
	if dir {
		how.Flags |= unix.O_DIRECTORY
	}
	return unix.Openat2(parent, name, &how)
}

// makeComponent makes an empty directory or file that belongs to whoever owns the directory around it: in a member's directory
// to the member, in ours to us.
func makeComponent(parent int, name string, dir bool) error {
	var around unix.Stat_t
	if err := unix.Fstat(parent, &around); err != nil {
		return err
	}
	var err error
	if dir {
		err = unix.Mkdirat(parent, name, 0o755)
	} else {
		err = unix.Mknodat(parent, name, unix.S_IFREG|0o644, 0)
	}
	if err != nil {
		return err
	}
	return unix.Fchownat(parent, name, int(around.Uid), int(around.Gid), unix.AT_SYMLINK_NOFOLLOW)
}

func isDir(fd int) (bool, error) {
	var st unix.Stat_t
	err := unix.Fstat(fd, &st)
	return st.Mode&unix.S_IFMT == unix.S_IFDIR, err
}
