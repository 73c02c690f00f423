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
		if err := unix.SetNonblock(mine, true); err != nil { // ours alone: deadlines need it
			return theirs, err
		}
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
		err = unix.Fchown(fds[0], uid, gid) // both ends are one inode
	}
	return fds[0], fds[1], err
}
