package seccomp

import (
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

type attempt struct {
	do   func() syscall.Errno
	want syscall.Errno
}

// raw makes a call with arguments that do no harm where it is let through.
func raw(number uintptr, want syscall.Errno, args ...uintptr) attempt {
	return attempt{want: want, do: func() syscall.Errno {
		var a [6]uintptr
		copy(a[:], args)
		_, _, errno := unix.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
		return errno
	}}
}

const (
	nowhere = ^uintptr(0) // a bad pointer, or a bad descriptor
	eperm   = unix.EPERM
)

var attempts = map[string]attempt{
	"clone3":            raw(unix.SYS_CLONE3, unix.ENOSYS, nowhere, 88),
	"clone-newuser":     raw(unix.SYS_CLONE, eperm, unix.CLONE_NEWUSER|unix.CLONE_SIGHAND), // without CLONE_VM: never valid
	"io_uring_setup":    raw(unix.SYS_IO_URING_SETUP, unix.ENOSYS, 0, nowhere),
	"io_setup":          raw(unix.SYS_IO_SETUP, unix.ENOSYS, 1, nowhere),
	"subvolume":         raw(unix.SYS_IOCTL, unix.ENOTTY, nowhere, 0x5000940e),
	"ptrace":            raw(unix.SYS_PTRACE, eperm, unix.PTRACE_PEEKDATA, 1),
	"process_vm_readv":  raw(unix.SYS_PROCESS_VM_READV, eperm, 1, nowhere, 1, nowhere, 1),
	"process_vm_writev": raw(unix.SYS_PROCESS_VM_WRITEV, eperm, 1, nowhere, 1, nowhere, 1),
	"pidfd_getfd":       raw(unix.SYS_PIDFD_GETFD, eperm, nowhere, 0),
	"kcmp":              raw(unix.SYS_KCMP, eperm, 1, 1, 99),
	"mount":             raw(unix.SYS_MOUNT, eperm, nowhere, nowhere),
	"umount2":           raw(unix.SYS_UMOUNT2, eperm, nowhere, nowhere),
	"open_tree":         raw(unix.SYS_OPEN_TREE, eperm, nowhere, nowhere, nowhere),
	"move_mount":        raw(unix.SYS_MOVE_MOUNT, eperm, nowhere, nowhere, nowhere, nowhere, nowhere),
	"fsopen":            raw(unix.SYS_FSOPEN, eperm, nowhere),
	"mount_setattr":     raw(unix.SYS_MOUNT_SETATTR, eperm, nowhere, nowhere, nowhere),
	"pivot_root":        raw(unix.SYS_PIVOT_ROOT, eperm, nowhere, nowhere),
	"chroot":            raw(unix.SYS_CHROOT, eperm, nowhere),
	"setns":             raw(unix.SYS_SETNS, eperm, nowhere),
	"unshare-nothing":   raw(unix.SYS_UNSHARE, eperm, 0),
	"open_by_handle_at": raw(unix.SYS_OPEN_BY_HANDLE_AT, eperm, nowhere, nowhere),
	"bpf":               raw(unix.SYS_BPF, eperm, 99, nowhere, 8),
	"userfaultfd":       raw(unix.SYS_USERFAULTFD, eperm, nowhere),
	"perf_event_open":   raw(unix.SYS_PERF_EVENT_OPEN, eperm, nowhere),
	"keyctl":            raw(unix.SYS_KEYCTL, eperm, 99),
	"add_key":           raw(unix.SYS_ADD_KEY, eperm, nowhere),
	"request_key":       raw(unix.SYS_REQUEST_KEY, eperm, nowhere),
	"kexec_load":        raw(unix.SYS_KEXEC_LOAD, eperm, 0, 1<<20, nowhere, nowhere),
	"init_module":       raw(unix.SYS_INIT_MODULE, eperm, nowhere, 0, nowhere),
	"finit_module":      raw(unix.SYS_FINIT_MODULE, eperm, nowhere, nowhere),
	"delete_module":     raw(unix.SYS_DELETE_MODULE, eperm, nowhere),
	"reboot-bad-magic":  raw(unix.SYS_REBOOT, eperm, 0, 0, 0),
	"swapon":            raw(unix.SYS_SWAPON, eperm, nowhere),
	"clock_settime":     raw(unix.SYS_CLOCK_SETTIME, eperm, 99, nowhere),
	"clock_adjtime":     raw(unix.SYS_CLOCK_ADJTIME, eperm, unix.CLOCK_REALTIME, nowhere),
	"settimeofday":      raw(unix.SYS_SETTIMEOFDAY, eperm, nowhere, 0),
	"quotactl":          raw(unix.SYS_QUOTACTL, eperm, nowhere, nowhere),
	"acct":              raw(unix.SYS_ACCT, eperm, nowhere),
	"syslog":            raw(unix.SYS_SYSLOG, eperm, 99),
	"sethostname":       raw(unix.SYS_SETHOSTNAME, eperm, nowhere, 1),
	"tiocsti":           raw(unix.SYS_IOCTL, eperm, nowhere, unix.TIOCSTI),
	"personality":       raw(unix.SYS_PERSONALITY, eperm, 0x0040000),
	"vsock":             raw(unix.SYS_SOCKET, unix.EAFNOSUPPORT, unix.AF_VSOCK, unix.SOCK_STREAM),
	"packet":            raw(unix.SYS_SOCKET, unix.EAFNOSUPPORT, unix.AF_PACKET, unix.SOCK_RAW),
	"raw-icmp":          raw(unix.SYS_SOCKET, eperm, unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP),
	"netfilter":         raw(unix.SYS_SOCKET, unix.EPROTONOSUPPORT, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_NETFILTER),
	"mptcp":             raw(unix.SYS_SOCKET, unix.EPROTONOSUPPORT, unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP),
	"tipc-pair":         raw(unix.SYS_SOCKETPAIR, unix.EAFNOSUPPORT, unix.AF_TIPC, unix.SOCK_STREAM, 0, nowhere),
	"fastopen-sendto":   raw(unix.SYS_SENDTO, unix.EOPNOTSUPP, nowhere, 0, 0, unix.MSG_FASTOPEN),
	"fastopen-sendmsg":  raw(unix.SYS_SENDMSG, unix.EOPNOTSUPP, nowhere, 0, unix.MSG_FASTOPEN),
	"fastopen-sendmmsg": raw(unix.SYS_SENDMMSG, unix.EOPNOTSUPP, nowhere, 0, 0, unix.MSG_FASTOPEN),
	"newer-than-list":   raw(unix.SYS_SETXATTRAT, unix.ENOSYS, nowhere),
}

func TestAttemptsRefused(t *testing.T) {
	for name, a := range attempts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tryAttempt(t, modeAttempt, name); got != a.want {
				t.Errorf("under the filter: got %v, want %v", got, a.want)
			}
			// The kernel alone says something else, unless it lacks the call; otherwise the line above would prove nothing.
			if got := tryAttempt(t, modeControl, name); got == a.want {
				t.Logf("without the filter this host answers %v too", got)
			}
		})
	}
}

func tryAttempt(t *testing.T, mode, name string) syscall.Errno {
	t.Helper()
	out, err := again(t, mode, name)
	errno, convErr := strconv.Atoi(out)
	if err != nil || convErr != nil {
		t.Fatalf("%s: %v: %s", mode, err, out)
	}
	return syscall.Errno(errno)
}
