package sandbox

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/egress/inside"
)

// netSpare is one network namespace made ahead: the kernel takes longer for one than for all the other namespaces together, and
// it is the only one that can be made before it is known for what. Each is given to one start and never seen again. It is used on
// the starter's thread only; the zero value has none.
type netSpare struct {
	own   *os.File // the thread's own, to come back to
	spare *os.File // nil = none
}

// spares reports whether a start with these namespaces has any use for one: what a user namespace is to hold has to be made in it.
func spares(clone uintptr) bool { return clone&unix.CLONE_NEWNET != 0 && clone&unix.CLONE_NEWUSER == 0 }

// make makes the next one, unless there is one. Where it cannot, a start makes its own, and says so where that fails too.
func (n *netSpare) make() {
	if n.spare != nil || n.open() != nil || n.leave() != nil || unix.Unshare(unix.CLONE_NEWNET) != nil { // no going where there is no way back
		return
	}
	_ = inside.RaiseLoopback() // so that the init has less to do; it says so where it cannot
	spare, err := threadNet()
	if errors.Join(err, n.leave()) != nil {
		_ = spare.Close() // there may be none
		return
	}
	n.spare = spare
}

// enter moves the thread into the spare, so that what it starts is born there. It reports whether it did: then leave has to follow.
func (n *netSpare) enter(clone uintptr) bool {
	if n.spare == nil || !spares(clone) {
		return false
	}
	defer func() { n.spare.Close(); n.spare = nil }()
	return unix.Setns(int(n.spare.Fd()), unix.CLONE_NEWNET) == nil
}

func (n *netSpare) leave() error {
	if err := unix.Setns(int(n.own.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("cannot come back from a new network namespace: %w", err)
	}
	return nil
}

func (n *netSpare) open() (err error) {
	if n.own == nil {
		n.own, err = threadNet()
	}
	return err
}

func threadNet() (*os.File, error) { return os.Open("/proc/thread-self/ns/net") }

// close may be called once nothing is started any more.
func (n *netSpare) close() {
	for _, f := range []*os.File{n.own, n.spare} {
		if f != nil {
			f.Close()
		}
	}
}
