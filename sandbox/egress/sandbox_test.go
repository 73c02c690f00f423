package egress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"majordomo/sandbox/egress/inside"
)

// The program under test runs in a real network namespace: this binary again, which prepares the namespace as the init does, passes the
// sockets out over descriptor 3, waits to be served, and becomes the program.
const modeInside = "inside-a-namespace"

// withoutIPv6 names a variable that has the namespace be one of a host that was booted without IPv6, as far as that can be had.
const withoutIPv6 = "EGRESS_TEST_WITHOUT_IPV6"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == modeInside {
		fmt.Fprintln(os.Stderr, becomeInside(os.Args[2], os.Args[3:]))
		os.Exit(99)
	}
	goleak.VerifyTestMain(m)
}

func becomeInside(resolvConf string, argv []string) error {
	file := os.NewFile(3, "control")
	conn, err := net.FileConn(file)
	if err != nil {
		return err
	}
	control := conn.(*net.UnixConn)
	var plan inside.Plan
	if err := json.NewDecoder(control).Decode(&plan); err != nil {
		return err
	}
	if os.Getenv(withoutIPv6) != "" {
		if err := os.WriteFile("/proc/sys/net/ipv6/conf/all/disable_ipv6", []byte("1"), 0); err != nil {
			return err
		}
	}
	sockets, err := inside.Setup(plan)
	if err != nil {
		return err
	}
	told, _ := json.Marshal(sockets)
	if _, _, err := control.WriteMsgUnix(told, unix.UnixRights(sockets.FDs...), nil); err != nil {
		return err
	}
	if _, err := control.Read(make([]byte, 1)); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks("/etc/resolv.conf")
	if err != nil {
		return err
	}
	if err := unix.Mount(resolvConf, real, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	file.Close()
	conn.Close()
	return syscall.Exec(argv[0], argv, []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent"})
}

// box is one program in a namespace of its own, served by a Server.
type box struct {
	server  *Server
	sockets inside.Sockets
	cmd     *exec.Cmd
	out     bytes.Buffer
}

// startIn starts argv in a namespace served as o says. change may alter the plan, as a kernel that lacks something would have it.
func startIn(t *testing.T, o Options, change func(*inside.Plan), argv ...string) *box {
	t.Helper()
	plan, err := o.Policy.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&plan)
	}
	resolvConf := filepath.Join(t.TempDir(), "resolv.conf")
	if err := os.WriteFile(resolvConf, []byte(inside.ResolvConf), 0o644); err != nil {
		t.Fatal(err)
	}
	ours, theirs := controlPair(t)
	b := &box{cmd: exec.Command("/proc/self/exe", append([]string{modeInside, resolvConf}, argv...)...)}
	b.cmd.SysProcAttr = namespaces()
	b.cmd.ExtraFiles = []*os.File{theirs}
	b.cmd.Stdout, b.cmd.Stderr = &b.out, &b.out
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	if err := json.NewEncoder(ours).Encode(plan); err != nil {
		t.Fatal(err)
	}
	files := b.receive(t, ours)
	if b.server, err = Serve(files, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.server.Close() })
	if _, err := ours.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	return b
}

// namespaces are the connector's own, in a user namespace unless we are root.
func namespaces() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

func (b *box) receive(t *testing.T, control *net.UnixConn) (files []*os.File) {
	t.Helper()
	data, oob := make([]byte, 4096), make([]byte, unix.CmsgSpace(4*64))
	n, oobn, _, _, err := control.ReadMsgUnix(data, oob)
	if err != nil || n == 0 {
		b.cmd.Wait()
		t.Fatalf("the namespace was not prepared: %v: %s", err, b.out.String())
	}
	if err := json.Unmarshal(data[:n], &b.sockets); err != nil {
		t.Fatal(err)
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		fds, err := unix.ParseUnixRights(&m)
		if err != nil {
			t.Fatal(err)
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "egress"))
		}
	}
	return files
}

// wait returns what the program printed.
func (b *box) wait() (string, error) {
	err := b.cmd.Wait()
	return strings.TrimSpace(b.out.String()), err
}

// runIn starts argv and waits for it.
func runIn(t *testing.T, o Options, argv ...string) (string, error) {
	t.Helper()
	return startIn(t, o, nil, argv...).wait()
}

func controlPair(t *testing.T) (*net.UnixConn, *os.File) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fds[0]), "control")
	defer file.Close()
	conn, err := net.FileConn(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.UnixConn), os.NewFile(uintptr(fds[1]), "control")
}
