package initproc

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strconv"

	"golang.org/x/sys/unix"
)

// mountProc shows the sandbox its own processes, and covers what in /proc is about the machine rather than about them.
//
// Where a container hides parts of its /proc, the kernel lets no ordinary user mount a whole one: then it is the container's, in which names
// of other processes can be seen, and nothing else of them.
func (s *sandbox) mountProc(root int, v View) error {
	if err := unix.Mkdirat(root, "proc", 0o555); err != nil {
		return fmt.Errorf("cannot make /proc: %w", err)
	}
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	target := path.Join(newRoot, "proc")
	if err := unix.Mount("proc", target, "proc", flags, "hidepid=2"); err != nil {
		if again := unix.Mount("/proc", target, "", unix.MS_BIND|unix.MS_REC, ""); again != nil {
			return fmt.Errorf("cannot mount /proc: %w; nor show the host's: %w", err, again)
		}
		s.applied.Notes["pid"] = "the command lines of other processes can be read, since no /proc of its own could be mounted: " + err.Error()
	}
	scatterPIDs(path.Join(target, "sys/kernel/ns_last_pid"))
	for _, name := range v.Hide {
		if err := cover(root, name); err != nil {
			return fmt.Errorf("cannot hide %s: %w", name, err)
		}
	}
	for _, name := range v.ReadOnly {
		if err := bindOver(root, name, name); err != nil {
			return fmt.Errorf("cannot make %s read-only: %w", name, err)
		}
	}
	return nil
}

// scatterPIDs has the numbers of processes go on from a random one. Were the connector always the same number, the pid file that an
// earlier start of it left would always name the new one, and servers that end an older copy of themselves, or do not start beside
// one, would never run again. Best effort: not every kernel has it, nor does every container let it be written.
func scatterPIDs(last string) {
	_ = writeFile(last, strconv.Itoa(1000+rand.IntN(30_000)), 0)
}

// cover hides a file behind /dev/null and a directory behind one of ours that stays empty.
func cover(root int, name string) error {
	var st unix.Stat_t
	err := unix.Fstatat(root, name[1:], &st, unix.AT_SYMLINK_NOFOLLOW)
	switch {
	case errors.Is(err, unix.ENOENT):
		return nil
	case err != nil:
		return err
	case st.Mode&unix.S_IFMT == unix.S_IFDIR:
		return bindOver(root, "/run", name)
	}
	return bindOver(root, "/dev/null", name)
}

// bindOver mounts a read-only copy of source over target, both inside the new root, where the target exists.
func bindOver(root int, source, target string) error {
	fd, err := unix.OpenTree(root, source[1:], unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err == nil {
		defer unix.Close(fd)
		err = setReadOnly(fd)
	}
	if err == nil {
		err = unix.MoveMount(fd, "", root, target[1:], unix.MOVE_MOUNT_F_EMPTY_PATH)
	}
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}

// setReadOnly closes one mount, not what is mounted in it.
func setReadOnly(fd int) error {
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	return unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &attr)
}
