package seccomp

import (
	"encoding/binary"
	"syscall"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

const high = 1 << 32 // a bit the kernel ignores in an int argument

// The cases run the program in a BPF machine, so that both architectures are judged on either.
var cases = []struct {
	why  string
	call string
	args [6]uint64
	want syscall.Errno
}{
	{"ordinary calls pass", "read", [6]uint64{}, 0},
	{"V8 needs writable, executable memory", "mprotect", [6]uint64{0, 4096, unix.PROT_WRITE | unix.PROT_EXEC}, 0},
	{"the newest call on the list", "mseal", [6]uint64{}, 0},
	{"a call after the list", "setxattrat", [6]uint64{}, unix.ENOSYS},
	{"glibc falls back to clone", "clone3", [6]uint64{}, unix.ENOSYS},
	{"libuv falls back to threads", "io_uring_setup", [6]uint64{}, unix.ENOSYS},
	{"a thread", "clone", [6]uint64{unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD}, 0},
	{"a user namespace", "clone", [6]uint64{unix.CLONE_NEWUSER | uint64(unix.SIGCHLD)}, unix.EPERM},
	{"typing into the terminal", "ioctl", [6]uint64{0, unix.TIOCSTI}, unix.EPERM},
	{"the same with a high bit", "ioctl", [6]uint64{0, unix.TIOCSTI | high}, unix.EPERM},
	{"the machine's few places for asynchronous reads", "io_setup", [6]uint64{60000}, unix.ENOSYS},
	{"a subvolume, which a count of the directory would not see", "ioctl", [6]uint64{0, 0x5000940e}, unix.ENOTTY},
	{"a subvolume by the newer number", "ioctl", [6]uint64{0, 0x50009418}, unix.ENOTTY},
	{"a snapshot", "ioctl", [6]uint64{0, 0x50009401}, unix.ENOTTY},
	{"a snapshot by the newer number", "ioctl", [6]uint64{0, 0x50009417}, unix.ENOTTY},
	{"sharing blocks, as cp does", "ioctl", [6]uint64{0, unix.FICLONE}, 0},
	{"asking for the window size", "ioctl", [6]uint64{0, unix.TIOCGWINSZ}, 0},
	{"asking for the personality", "personality", [6]uint64{0xffffffff}, 0},
	{"no address randomisation", "personality", [6]uint64{0x0040000}, unix.EPERM},
	{"TCP", "socket", [6]uint64{unix.AF_INET, unix.SOCK_STREAM | unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK, 0}, 0},
	{"UDP, by its number", "socket", [6]uint64{unix.AF_INET6, unix.SOCK_DGRAM, unix.IPPROTO_UDP}, 0},
	{"a unix socket", "socket", [6]uint64{unix.AF_UNIX, unix.SOCK_SEQPACKET, 0}, 0},
	{"the routing table", "socket", [6]uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE}, 0},
	{"the packet filter", "socket", [6]uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_NETFILTER}, unix.EPROTONOSUPPORT},
	{"the hypervisor", "socket", [6]uint64{unix.AF_VSOCK, unix.SOCK_STREAM, 0}, unix.EAFNOSUPPORT},
	{"the hypervisor, with a high bit", "socket", [6]uint64{unix.AF_VSOCK | high, unix.SOCK_STREAM, 0}, unix.EAFNOSUPPORT},
	{"kernel cryptography", "socket", [6]uint64{unix.AF_ALG, unix.SOCK_SEQPACKET, 0}, unix.EAFNOSUPPORT},
	{"packets", "socket", [6]uint64{unix.AF_PACKET, unix.SOCK_RAW, 0}, unix.EAFNOSUPPORT},
	{"packets, the old way", "socket", [6]uint64{unix.AF_INET, unix.SOCK_PACKET, 0}, unix.EPERM},
	{"raw IP", "socket", [6]uint64{unix.AF_INET, unix.SOCK_RAW | unix.SOCK_CLOEXEC, unix.IPPROTO_ICMP}, unix.EPERM},
	{"raw IP with a high bit", "socket", [6]uint64{unix.AF_INET6, unix.SOCK_RAW | high, unix.IPPROTO_TCP}, unix.EPERM},
	{"multipath TCP", "socket", [6]uint64{unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP}, unix.EPROTONOSUPPORT},
	{"SCTP", "socket", [6]uint64{unix.AF_INET, unix.SOCK_SEQPACKET, unix.IPPROTO_SCTP}, unix.EPERM},
	{"a unix pair", "socketpair", [6]uint64{unix.AF_UNIX, unix.SOCK_STREAM, 0}, 0},
	{"a TIPC pair", "socketpair", [6]uint64{unix.AF_TIPC, unix.SOCK_STREAM, 0}, unix.EAFNOSUPPORT},
	{"an ordinary send", "sendto", [6]uint64{3, 0, 0, unix.MSG_NOSIGNAL}, 0},
	{"a connect inside a send", "sendto", [6]uint64{3, 0, 0, unix.MSG_FASTOPEN}, unix.EOPNOTSUPP},
	{"the same by message", "sendmsg", [6]uint64{3, 0, unix.MSG_FASTOPEN | unix.MSG_NOSIGNAL}, unix.EOPNOTSUPP},
	{"the same by messages", "sendmmsg", [6]uint64{3, 0, 0, unix.MSG_FASTOPEN}, unix.EOPNOTSUPP},
}

func TestBothArchitectures(t *testing.T) {
	for _, info := range []*arch.Info{arch.X86_64, arch.AARCH64} {
		for _, c := range cases {
			t.Run(info.Name+"/"+c.call+"/"+c.why, func(t *testing.T) {
				number, ok := info.SyscallNames[c.call]
				if !ok {
					t.Fatalf("no call %s on %s", c.call, info.Name)
				}
				if got := judge(t, info, uint32(info.ID), uint32(number), c.args); got != c.want {
					t.Errorf("got %v, want %v", got, c.want)
				}
			})
		}
	}
}

func TestForeignCodeRefused(t *testing.T) {
	const x32 = 0x40000000
	for _, c := range []struct {
		why          string
		info         *arch.Info
		arch, number uint32
	}{
		{"i386 on amd64: 20 is getpid there, writev here", arch.X86_64, uint32(arch.I386.ID), 20},
		{"32-bit arm on arm64", arch.AARCH64, uint32(arch.ARM.ID), 20},
		{"x32 on amd64", arch.X86_64, uint32(arch.X86_64.ID), x32 | 39},
		{"no call at all", arch.X86_64, uint32(arch.X86_64.ID), 0xffffffff},
	} {
		if got := judge(t, c.info, c.arch, c.number, [6]uint64{}); got != unix.ENOSYS {
			t.Errorf("%s: got %v, want %v", c.why, got, unix.ENOSYS)
		}
	}
}

// A misspelled name would be skipped in silence.
func TestNamesExist(t *testing.T) {
	exists := func(name string) bool {
		_, amd := arch.X86_64.SyscallNames[name]
		_, arm := arch.AARCH64.SyscallNames[name]
		return amd || arm
	}
	for _, r := range refused {
		for _, name := range r.calls {
			if !exists(name) {
				t.Errorf("refused call %s exists on no architecture", name)
			}
		}
	}
	for _, r := range judged {
		for _, name := range r.calls {
			if !exists(name) {
				t.Errorf("judged call %s exists on no architecture", name)
			}
		}
	}
}

// TestEveryCall asks for each call there is, without arguments: one that a jump over a group passed by, or caught, would show.
func TestEveryCall(t *testing.T) {
	want := map[string]syscall.Errno{"socket": unix.EAFNOSUPPORT, "socketpair": unix.EAFNOSUPPORT} // of no family
	for _, r := range refused {
		for _, call := range r.calls {
			want[call] = r.errno
		}
	}
	for _, info := range []*arch.Info{arch.X86_64, arch.AARCH64} {
		for _, ban := range []Ban{{}, {Network: true, Unix: true}} {
			vm := machineFor(t, info, ban)
			for call, number := range info.SyscallNames {
				errno := want[call]
				if number > info.SyscallNames[newestCall] {
					errno = unix.ENOSYS
				}
				if got := answer(t, vm, uint32(info.ID), uint32(number), [6]uint64{}); got != errno {
					t.Errorf("%s on %s under %+v: got %v, want %v", call, info.Name, ban, got, errno)
				}
			}
		}
	}
}

// judge returns the errno that the filter answers with, 0 for "let through".
func judge(t *testing.T, info *arch.Info, archID, number uint32, args [6]uint64) syscall.Errno {
	t.Helper()
	return answer(t, machineFor(t, info, Ban{}), archID, number, args)
}

func machineFor(t *testing.T, info *arch.Info, b Ban) *bpf.VM {
	t.Helper()
	vm, err := bpf.NewVM(assemble(info, b))
	if err != nil {
		t.Fatal(err)
	}
	return vm
}

// answer runs the machine, which reads big-endian words, as packets have them.
func answer(t *testing.T, vm *bpf.VM, archID, number uint32, args [6]uint64) syscall.Errno {
	t.Helper()
	data := make([]byte, offArgs+8*len(args))
	binary.BigEndian.PutUint32(data[offNumber:], number)
	binary.BigEndian.PutUint32(data[offArch:], archID)
	for i, a := range args {
		binary.BigEndian.PutUint32(data[offArgs+8*i:], uint32(a))
		binary.BigEndian.PutUint32(data[offArgs+8*i+4:], uint32(a>>32))
	}
	verdict, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	if uint32(verdict) == unix.SECCOMP_RET_ALLOW {
		return 0
	}
	return syscall.Errno(verdict & unix.SECCOMP_RET_DATA)
}
