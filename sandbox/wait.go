package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// reap waits for a child of ours and collects it. The time goes by in the runtime's poller: wait(2) would keep a thread, with its stacks,
// for each connector that runs. Where the kernel has no descriptors of processes it does.
func reap(proc *os.Process) (*os.ProcessState, error) {
	if fd, err := unix.PidfdOpen(proc.Pid, unix.PIDFD_NONBLOCK); err == nil { // not reaped yet: the number is its own
		awaitExit(os.NewFile(uintptr(fd), "process"))
	}
	return proc.Wait()
}

// awaitExit returns when the process has exited, or cannot be waited for in this way.
func awaitExit(pidfd *os.File) {
	defer pidfd.Close()
	conn, err := pidfd.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Read(func(fd uintptr) bool {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(ready, 0)
		return n == 1 || err != nil && err != unix.EINTR
	})
}
