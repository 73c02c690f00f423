package initproc

import (
	"errors"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// mountPoint opens the target, and makes what is missing of it, one component at a time and never through a link: part of the
// way may lie in a directory that a connector wrote.
func mountPoint(root int, target string, dir bool) (int, error) {
	around, name := path.Split(strings.Trim(target, "/"))
	if around == "" {
		return enter(root, name, dir)
	}
	parent, err := openBelow(root, around, true) // most often it is there
	if errors.Is(err, unix.ENOENT) {
		parent, err = mountPoint(root, around, true)
	}
	if err != nil {
		return -1, err
	}
	defer unix.Close(parent)
	return enter(parent, name, dir)
}

// enter opens one component, and makes it when it is missing.
func enter(parent int, name string, dir bool) (int, error) {
	fd, err := openBelow(parent, name, dir)
	if !errors.Is(err, unix.ENOENT) {
		return fd, err
	}
	if err := makeComponent(parent, name, dir); err != nil {
		return -1, err
	}
	return openBelow(parent, name, dir)
}

func openBelow(parent int, name string, dir bool) (int, error) {
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
	if err != nil || int(around.Uid) == os.Geteuid() && int(around.Gid) == os.Getegid() {
		return err
	}
	return unix.Fchownat(parent, name, int(around.Uid), int(around.Gid), unix.AT_SYMLINK_NOFOLLOW)
}

func isDir(fd int) (bool, error) {
	var st unix.Stat_t
	err := unix.Fstat(fd, &st)
	return st.Mode&unix.S_IFMT == unix.S_IFDIR, err
}
