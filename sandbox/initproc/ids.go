package initproc

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// dropIDs takes the connector's ids in this thread, from which the connector is forked. The bounding set goes first: emptying it
// needs a capability.
func dropIDs(c Config) error {
	if os.Geteuid() != 0 && !c.UserNS {
		return nil // an ordinary user without a namespace: there is no privilege to drop, nor one to drop it with
	}
	if err := emptyBoundingSet(); err != nil {
		return err
	}
	if c.UserNS {
		return nil // the map of the namespace holds the right uid and no other, and setgroups is denied in it
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
		return fmt.Errorf("cannot drop the groups: %w", errno)
	}
	gid, uid := uintptr(c.GID), uintptr(c.UID)
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, gid, gid, gid); errno != 0 {
		return fmt.Errorf("cannot become gid %d: %w", c.GID, errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uid, uid, uid); errno != 0 {
		return fmt.Errorf("cannot become uid %d: %w", c.UID, errno)
	}
	return nil
}

// killByUID never returns. Root would be asked to kill the machine.
func killByUID() {
	if os.Getuid() == 0 || os.Geteuid() == 0 {
		os.Exit(2)
	}
	_ = unix.Kill(-1, unix.SIGKILL) // fails when there is none
	os.Exit(0)
}

// emptyBoundingSet drops capabilities until the kernel knows no more of them.
func emptyBoundingSet() error {
	for c := uintptr(0); ; c++ {
		switch err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); {
		case errors.Is(err, unix.EINVAL) && c > 0:
			return nil
		case err != nil:
			return fmt.Errorf("cannot drop capability %d from the bounding set: %w", c, err)
		}
	}
}

// dropCapabilities empties the other sets of this thread. The ambient set goes with the permitted one.
func dropCapabilities() error {
	header, none := noCapabilities()
	return unix.Capset(header, none)
}

func noCapabilities() (*unix.CapUserHeader, *unix.CapUserData) {
	return &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &new([2]unix.CapUserData)[0]
}

// dropElsewhere makes the runtime's other threads as powerless as this one. The connector does not inherit from them and cannot
// reach them, and waiting for each takes its time: it is done when the connector already runs. A program linked with C, as a
// test under the race detector is, cannot do it.
func dropElsewhere(c Config) {
	if c.Confine && !c.UserNS {
		id := uintptr(c.UID)
		_, _, _ = syscall.AllThreadsSyscall(unix.SYS_SETRESUID, id, id, id)
	}
	if c.Confine && c.UserNS {
		header, none := noCapabilities()
		_, _, _ = syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(header)), uintptr(unsafe.Pointer(none)), 0)
	}
}
