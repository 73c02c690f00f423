// Package load installs a ready-made seccomp filter with one system call. It is linked into the sandbox's init and must stay tiny.
// It must never look at what it installs or change it: package seccomp decides. It starts no goroutine.
package load

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Filter puts the calling OS thread, and everything it forks or executes afterwards, under the program (the bytes of
// seccomp.Program). The caller holds runtime.LockOSThread and has set no_new_privs, or has CAP_SYS_ADMIN. There is no way back.
func Filter(program []byte) error {
	const size = int(unsafe.Sizeof(unix.SockFilter{}))
	n := len(program) / size
	if n == 0 || len(program)%size != 0 || n > 1<<16-1 {
		return errors.New("cannot load the seccomp filter: not a whole number of instructions")
	}
	filter := make([]unix.SockFilter, n) // a copy, for alignment
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&filter[0])), len(program)), program)
	fprog := unix.SockFprog{Len: uint16(n), Filter: &filter[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return fmt.Errorf("cannot load the seccomp filter: %w", errno)
	}
	return nil
}
