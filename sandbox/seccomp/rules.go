package seccomp

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// newestCall is the last system call somebody has looked at for this list. What came later does not exist inside.
const newestCall = "mseal"

// refused calls are never let through. A name that an architecture does not have is skipped there.
var refused = []struct {
	errno syscall.Errno
	calls []string
}{
	// "Not in this kernel": programs fall back to clone, and to plain reads and writes. With EPERM instead node aborts at its first thread.
	// clone3 keeps its flags in memory, where a filter cannot see them; io_uring makes calls that no filter sees.
	{unix.ENOSYS, []string{"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"}},

	// Places for asynchronous reads, of which the whole machine has 65,536: one process could take them all. A kernel may lack this too.
	{unix.ENOSYS, []string{"io_setup"}},

	// Other processes.
	{unix.EPERM, []string{"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
		"move_pages", "migrate_pages"}},

	// The file view and the namespaces.
	{unix.EPERM, []string{"mount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
		"pivot_root", "chroot", "setns", "unshare", "open_by_handle_at", "name_to_handle_at", "fanotify_init", "fanotify_mark"}},

	// Kernel facilities with a history of holes. Keyrings are not in any namespace.
	{unix.EPERM, []string{"bpf", "userfaultfd", "perf_event_open", "keyctl", "add_key", "request_key", "lookup_dcookie",
		"modify_ldt", "uselib", "ustat", "sysfs", "_sysctl", "nfsservctl"}},

	// The machine.
	{unix.EPERM, []string{"kexec_load", "kexec_file_load", "create_module", "init_module", "finit_module", "delete_module",
		"query_module", "get_kernel_syms", "reboot", "swapon", "swapoff", "clock_settime", "clock_adjtime", "settimeofday", "adjtimex",
		"quotactl", "quotactl_fd", "acct", "iopl", "ioperm", "syslog", "vhangup", "sethostname", "setdomainname"}},
}

// judged calls depend on their arguments: the first check that holds refuses, otherwise they are let through.
var judged = []struct {
	calls  []string
	checks []check
}{
	{[]string{"clone"}, []check{{[]test{has(0, newNamespace)}, unix.EPERM}}},

	// Typing into the terminal that started the daemon.
	{[]string{"ioctl"}, []check{
		{[]test{is(1, unix.TIOCSTI)}, unix.EPERM},
		{[]test{is(1, tiocLinux)}, unix.EPERM},

		// The project that a file counts for, and whether what is made in a directory inherits it: disk quotas go by it, and the owner of
		// a file could change it. The errno is what a file system without projects says.
		{[]test{is(1, setXattr)}, unix.ENOTTY},
		{[]test{is(1, unix.FS_IOC_SETFLAGS)}, unix.ENOTTY},

		// On btrfs anybody may make a file system within a directory, which a count of the directory does not enter.
		{[]test{is(1, btrfsSubvolume)}, unix.ENOTTY},
		{[]test{is(1, btrfsSubvolume2)}, unix.ENOTTY},
		{[]test{is(1, btrfsSnapshot)}, unix.ENOTTY},
		{[]test{is(1, btrfsSnapshot2)}, unix.ENOTTY},
	}},

	// Only the ordinary personalities, and the question (-1): others switch off address randomisation.
	{[]string{"personality"}, []check{{[]test{not(0, 0), not(0, per32), not(0, uname26), not(0, per32|uname26), not(0, ask)}, unix.EPERM}}},

	// Unix, IPv4, IPv6 and the routing table (which the C library asks for its addresses), TCP and UDP. AF_VSOCK, AF_ALG, AF_PACKET and their
	// like are not, or not wholly, confined by a network namespace; MPTCP goes past Landlock's port rules.
	{[]string{"socket"}, []check{
		{[]test{not(0, unix.AF_UNIX), not(0, unix.AF_INET), not(0, unix.AF_INET6), not(0, unix.AF_NETLINK)}, unix.EAFNOSUPPORT},
		{[]test{is(0, unix.AF_NETLINK), not(2, unix.NETLINK_ROUTE)}, unix.EPROTONOSUPPORT},
		{[]test{not(0, unix.AF_UNIX), not(0, unix.AF_NETLINK), has(1, otherTypes)}, unix.EPERM},
		{[]test{not(0, unix.AF_UNIX), not(0, unix.AF_NETLINK), has(1, unix.SOCK_STREAM), has(1, unix.SOCK_DGRAM)}, unix.EPERM}, // both bits: raw
		{[]test{not(0, unix.AF_UNIX), not(0, unix.AF_NETLINK), not(2, 0), not(2, unix.IPPROTO_TCP), not(2, unix.IPPROTO_UDP)}, unix.EPROTONOSUPPORT},
	}},
	{[]string{"socketpair"}, []check{{[]test{not(0, unix.AF_UNIX)}, unix.EAFNOSUPPORT}}},

	// A connect in disguise that Landlock's port rules do not see. The errno is what a kernel without it says.
	{[]string{"sendto", "sendmmsg"}, []check{{[]test{has(3, unix.MSG_FASTOPEN)}, unix.EOPNOTSUPP}}},
	{[]string{"sendmsg"}, []check{{[]test{has(2, unix.MSG_FASTOPEN)}, unix.EOPNOTSUPP}}},
}

const (
	newNamespace = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
		unix.CLONE_NEWPID | unix.CLONE_NEWNET
	tiocLinux = 0x541C     // paste into a virtual console
	setXattr  = 0x401c5820 // FS_IOC_FSSETXATTR

	btrfsSnapshot   = 0x50009401 // BTRFS_IOC_SNAP_CREATE
	btrfsSubvolume  = 0x5000940e // BTRFS_IOC_SUBVOL_CREATE
	btrfsSnapshot2  = 0x50009417 // BTRFS_IOC_SNAP_CREATE_V2
	btrfsSubvolume2 = 0x50009418 // BTRFS_IOC_SUBVOL_CREATE_V2

	per32      = 0x0008
	uname26    = 0x0020000
	ask        = 0xffffffff
	otherTypes = 0xC // of the four type bits: every type but stream (1), datagram (2) and raw (3)
)
