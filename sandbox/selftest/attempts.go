package selftest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// attempt is one thing to try.
type attempt struct {
	layer, name string
	try         func(Target) error
}

// attempts are in the order in which they are shown. The layer is by its name in package sandbox.
var attempts = []attempt{
	{Control, "read a file that it is given", func(Target) error { return read(os.Getenv(ControlVariable)) }},
	{"env", "find the daemon's environment in its own", func(t Target) error {
		if _, there := os.LookupEnv(t.Variable); !there {
			return errors.New("it is not there")
		}
		return nil
	}},
	{"fds", "find a descriptor of the daemon's", otherDescriptor},
	{"uid", "become root", func(Target) error { return unix.Setresuid(0, 0, 0) }},
	{"caps", "have a capability", anyCapability},
	{"no_new_privs", "gain rights from a program", func(Target) error {
		if on, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err == nil && on == 1 {
			return errors.New("no_new_privs is set")
		}
		return nil
	}},
	{"seccomp", "mount", func(Target) error { return unix.Mount("none", "/nowhere", "tmpfs", 0, "") }},
	{"seccomp", "make a user namespace", func(Target) error { return unix.Unshare(unix.CLONE_NEWUSER) }},
	{"seccomp", "use the keyring", func(Target) error {
		_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, false)
		return err
	}},
	{"seccomp", "use bpf", func(Target) error { return call(unix.SYS_BPF, ^uintptr(0)) }},
	{"seccomp", "use io_uring", func(Target) error { return call(unix.SYS_IO_URING_SETUP, 0) }},
	{"seccomp", "trace a process", func(t Target) error { return unix.PtraceAttach(t.PID) }},
	{"seccomp", "open a packet socket", func(Target) error { return open(unix.AF_PACKET, unix.SOCK_RAW) }},
	{"seccomp", "open a socket to the machine below", func(Target) error { return open(unix.AF_VSOCK, unix.SOCK_STREAM) }},
	{"mount", "read a file of the daemon's", func(t Target) error { return read(t.Secret) }},
	{"mount", "read /etc/shadow", func(Target) error { return read("/etc/shadow") }},
	{"mount", "write to /usr", func(Target) error { return write("/usr/majordomo-self-test") }},
	{"mount", "write to /etc", func(Target) error { return write("/etc/majordomo-self-test") }},
	{"pid", "signal the daemon", func(t Target) error { return unix.Kill(t.PID, 0) }},
	{"pid", "read the daemon's environment", func(t Target) error { return read(fmt.Sprintf("/proc/%d/environ", t.PID)) }},
	{"net", "connect to a unix socket without a file", func(t Target) error { return dial("unix", "@"+t.Abstract) }},
	{"egress", "connect to the host's loopback", func(t Target) error { return dial("tcp", t.TCP) }},
}

func read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Read(make([]byte, 1))
	return err
}

func write(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_ = os.Remove(path)
	return f.Close()
}

func call(number, first uintptr) error {
	if _, _, errno := unix.Syscall(number, first, 0, 0); errno != 0 && errno != unix.EINVAL && errno != unix.EFAULT {
		return errno // EINVAL and EFAULT are answers of the call itself
	}
	return nil
}

func open(family, kind int) error {
	fd, err := unix.Socket(family, kind, 0)
	if err == nil {
		_ = unix.Close(fd)
	}
	return err
}

// dial wants to hear from the other side: a connection that is reset at once was refused.
func dial(network, address string) error {
	conn, err := net.DialTimeout(network, address, 5*time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 1))
	return err
}

func anyCapability(Target) error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil // it cannot be told that there is none
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "CapEff:"); ok && strings.Trim(value, "\t 0\n") == "" {
			return errors.New("there is none")
		}
	}
	return nil
}

// otherDescriptor looks for one that was inherited; those of this program itself are closed on exec.
func otherDescriptor(Target) error {
	for fd := 3; fd < 1024; fd++ {
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			return nil
		}
	}
	return errors.New("there is none")
}
