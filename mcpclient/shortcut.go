package mcpclient

import (
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// shortcut writes a line on the goroutine that has it, where that neither waits nor overtakes another: the way through the writer is two
// changes of goroutine, a fifth of a short call. A pipe takes a line of up to atomicWrite whole or not at all.
type shortcut struct {
	raw    syscall.RawConn // nil = the input is no pipe, or waits
	behind atomic.Int64    // lines in the queue or in the writer's hands
	mu     sync.Mutex      // the writer's, for each line; here it is only tried
}

// atomicWrite is PIPE_BUF.
const atomicWrite = 4096

func (s *shortcut) open(in Input) {
	file, ok := in.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		var st unix.Stat_t
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err == nil && flags&unix.O_NONBLOCK != 0 && unix.Fstat(int(fd), &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO {
			s.raw = raw
		}
	})
}

// write reports whether the line is written; else nothing of it is.
func (s *shortcut) write(line []byte) bool {
	if s.raw == nil || len(line) > atomicWrite || !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	if s.behind.Load() > 0 {
		return false
	}
	n := 0
	_ = s.raw.Control(func(fd uintptr) { // and not Write, which refuses when the deadline of the writer's last line is over
		n, _ = unix.Write(int(fd), line) // why not is for the writer to find out, which tries again
	})
	return n == len(line)
}
