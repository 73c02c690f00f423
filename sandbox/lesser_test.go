package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"majordomo/sandbox/sandboxtest"
	"majordomo/sandbox/seccomp/load"
)

// Hosts that give less are made from this one: the test program runs again, as one that a container's filter holds, that has only the
// capabilities of a container, that has no control groups to write to. What it then tests is in tests named In….

// lack is what a lesser host refuses, by a word in SANDBOX_TEST_LACKING.
var lacks = map[string][]uint32{
	"mounts":     {unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR},
	"pivot_root": {unix.SYS_PIVOT_ROOT},
	"setns":      {unix.SYS_SETNS},
	"landlock":   {unix.SYS_LANDLOCK_CREATE_RULESET, unix.SYS_LANDLOCK_ADD_RULE, unix.SYS_LANDLOCK_RESTRICT_SELF},
}

// namespaceFlags are refused in clone by the word "namespaces", all of them, and by "net" and "pid" one.
var namespaceFlags = map[string]uint32{
	"namespaces": unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET,
	"net":        unix.CLONE_NEWNET, "pid": unix.CLONE_NEWPID, "mnt": unix.CLONE_NEWNS, "ipc": unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
}

// dockerCaps is what Docker leaves to a container's root.
const dockerCaps = "-all,+chown,+dac_override,+fsetid,+fowner,+mknod,+net_raw,+setgid,+setuid,+setfcap,+setpcap,+net_bind_service,+sys_chroot,+kill,+audit_write"

// becomeLesser becomes this program again, on a host that lacks the words. It returns only an error.
func becomeLesser(words string) error {
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	lack := strings.Split(words, ",")
	if slices.Contains(lack, "cgroups") {
		if err := unix.Mount("none", "/sys/fs/cgroup", "tmpfs", unix.MS_RDONLY, ""); err != nil {
			return err
		}
	}
	if slices.Contains(lack, "proc") { // as containers hide parts of it
		if err := maskProc(); err != nil {
			return err
		}
	}
	filter, err := lesserFilter(lack)
	if err == nil {
		err = load.Filter(filter)
	}
	if err != nil {
		return err
	}
	argv := append([]string{"/proc/self/exe"}, os.Args[1:]...)
	switch {
	case slices.Contains(lack, "caps"):
		argv = append([]string{"/usr/bin/setpriv", "--inh-caps=-all", "--bounding-set=" + dockerCaps, os.Args[0]}, os.Args[1:]...)
	case slices.Contains(lack, "root"):
		argv = append([]string{"/usr/bin/setpriv", "--reuid=4001", "--regid=4001", "--clear-groups", "--inh-caps=-all", os.Args[0]}, os.Args[1:]...)
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SANDBOX_TEST_LACKING=") })
	return syscall.Exec(argv[0], argv, append(env, "SANDBOX_TEST_INSIDE="+words))
}

// maskProc hides a file of /proc, and takes away every other /proc, of which one that is whole would do.
func maskProc() error {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		if f := strings.Fields(line); strings.Contains(line, " - proc ") && f[4] != "/proc" {
			err = errors.Join(err, unix.Unmount(f[4], unix.MNT_DETACH))
		}
	}
	return errors.Join(err, unix.Mount("/dev/null", "/proc/kallsyms", "", unix.MS_BIND, ""))
}

// lesserFilter refuses calls with EPERM, and clone3 as containers do, so that flags can be seen in clone.
func lesserFilter(lack []string) ([]byte, error) {
	refuse := func(e syscall.Errno) bpf.Instruction { return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(e)} }
	prog := []bpf.Instruction{bpf.LoadAbsolute{Off: 0, Size: 4}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_CLONE3, SkipFalse: 1}, refuse(unix.ENOSYS)}
	var flags uint32
	for _, word := range lack {
		flags |= namespaceFlags[word]
		for _, number := range lacks[word] {
			prog = append(prog, bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: 1}, refuse(unix.EPERM))
		}
	}
	for _, number := range []uint32{unix.SYS_UNSHARE, unix.SYS_CLONE} {
		if flags != 0 {
			prog = append(prog, bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: 3},
				bpf.LoadAbsolute{Off: 16, Size: 4}, bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: flags, SkipFalse: 1}, refuse(unix.EPERM),
				bpf.LoadAbsolute{Off: 0, Size: 4})
		}
	}
	raw, err := bpf.Assemble(append(prog, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}))
	var out []byte
	for _, i := range raw {
		out = binary.NativeEndian.AppendUint16(out, i.Op)
		out = append(out, i.Jt, i.Jf)
		out = binary.NativeEndian.AppendUint32(out, i.K)
	}
	return out, err
}

// onLesserHost runs tests of this package on a host that lacks the words. Each has to pass there.
func onLesserHost(t *testing.T, lack string, tests ...string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("%s skipped: only root can make lesser hosts", t.Name())
	}
	uid := 0
	if strings.Contains(lack, "root") {
		uid = sandboxtest.User
	}
	self, home := sandboxtest.Copy(t, uid)
	cmd := exec.Command(self, "-test.v", "-test.run", "^("+strings.Join(tests, "|")+")$")
	cmd.Dir = home
	cmd.Env = append(sandboxtest.Environ(home), "SANDBOX_TEST_LACKING="+lack)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range tests {
		if !bytes.Contains(out, []byte("--- PASS: "+name+" (")) {
			t.Errorf("%s did not run on a host without %s", name, lack)
		}
	}
}

// onlyOn skips unless this is a lesser host, and one that lacks the words.
func onlyOn(t *testing.T, words ...string) {
	t.Helper()
	lack := strings.Split(os.Getenv("SANDBOX_TEST_INSIDE"), ",")
	if lack[0] == "" {
		t.Skip("run by the tests of lesser hosts")
	}
	for _, word := range words {
		if !slices.Contains(lack, word) {
			t.Skip("run by the tests of lesser hosts")
		}
	}
}
