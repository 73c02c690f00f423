package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A connector that runs in the host's tree with a uid of its own has to pass through the state directory, which is closed to all but the
// daemon. An access list lets that one uid pass through each directory on its way, and neither list nor read it.

// grantTraverse lets the Spec's uid pass to everything it may open below the state directory.
func (h *Host) grantTraverse(t *hostTree) error {
	if os.Geteuid() != 0 || t.spec.UID == 0 {
		return nil // it is the daemon's own uid, which may
	}
	state, err := filepath.Abs(h.options.StateDir)
	if err != nil {
		return err
	}
	ends := []string{t.scratch}
	for _, m := range t.spec.Mounts {
		ends = append(ends, filepath.Dir(m.hostSource()))
	}
	for dir := filepath.Dir(state); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err != nil || info.Mode()&0o001 == 0 {
			return fmt.Errorf("uid %d cannot pass through %s: chmod o+x it, or put the state directory elsewhere", t.spec.UID, dir)
		}
		if dir == "/" {
			break
		}
	}
	done := map[string]bool{}
	for _, end := range ends {
		for dir := filepath.Clean(end); within(dir, state) && !done[dir]; dir = filepath.Dir(dir) {
			done[dir] = true
			if err := grantTraverseOf(dir, t.spec.UID); err != nil {
				return fmt.Errorf("cannot let uid %d pass through %s: %w", t.spec.UID, dir, err)
			}
		}
	}
	return nil
}

// grantTraverseOf adds the execute permission for one uid to a directory's access list.
func grantTraverseOf(dir string, uid int) error {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&0o001 != 0 || int(st.Uid) == uid {
		return nil
	}
	list, err := readACL(fd, st.Mode)
	if err != nil {
		return err
	}
	if err = unix.Fsetxattr(fd, aclName, list.with(uint32(uid)).bytes(), 0); errors.Is(err, unix.ENOTSUP) {
		err = errors.New("its file system has no access lists; mount the state directory on one that has, such as ext4 or xfs")
	}
	return err
}
