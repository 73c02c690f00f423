package sandbox

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// makePipes connects stdin, stdout and stderr and returns the child's ends. Those belong to the connector's uid, so that it can
// open /dev/stdout.
func (p *Process) makePipes() (theirs []*os.File, err error) {
	for fd, ours := range []**os.File{&p.Stdin, &p.Stdout, &p.Stderr} {
		read, write, err := pipe(p.spec.UID, p.spec.GID)
		if err != nil {
			return theirs, fmt.Errorf("cannot make a pipe: %w", err)
		}
		mine, other := read, write
		if fd == 0 {
			mine, other = write, read
		}
		theirs = append(theirs, os.NewFile(uintptr(other), "pipe"))
		_ = unix.SetNonblock(mine, true) // ours alone, since deadlines need it; of a descriptor that is open it never fails
		*ours = os.NewFile(uintptr(mine), p.spec.Name)
	}
	return theirs, nil
}

func pipe(uid, gid int) (read, write int, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return 0, 0, err
	}
	if os.Geteuid() == 0 {
		if err := unix.Fchown(fds[0], uid, gid); err != nil { // both ends are one inode
			unix.Close(fds[0])
			unix.Close(fds[1])
			return 0, 0, err
		}
	}
	return fds[0], fds[1], nil
}
