package sandbox

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"majordomo/sandbox/docker"
	"majordomo/sandbox/docker/dockertest"
)

const testImage = "majordomo-test"

// containerUID is not the testUID, of which other tests, in another process, end everything on this machine.
const containerUID = 212777

func containerShell(script string) Spec { return withContainerUID(shell(script)) }

func containerPython(script string) Spec { return withContainerUID(python(script)) }

func withContainerUID(s Spec) Spec {
	s.UID, s.GID = containerUID, containerUID
	return s
}

// Everything that needs a Docker engine shares one.
func TestContainers(t *testing.T) {
	engine := dockertest.Start(t)
	engine.Import(testImage, []string{"sh", "cat", "sleep", "id", "env", "python3"},
		"VOLUME /volume", `ENTRYPOINT ["/bin/false"]`, "USER 33", "ENV LEFT=over")
	h := openHostWith(t, Options{Driver: DriverDocker, Engine: engine.Address, Image: testImage})
	for _, test := range []struct {
		name string
		run  func(*testing.T, *dockertest.Engine, *Host)
	}{
		{"report", containerReport},
		{"inside", containerInside},
		{"mounts", containerMounts},
		{"network", containerNetwork},
		{"pipes", containerPipes},
		{"stop", containerStop},
		{"memory", containerMemory},
		{"processes", containerProcesses},
		{"killed daemon", containerOfKilledDaemon},
		{"sweep", containerSweep},
		{"replaced mount", containerReplacedMount},
		{"own program", containerOfOwnProgram},
		{"no image", containerNoImage},
		{"capabilities", containerCapabilities},
		{"memory file systems", containerMemoryFileSystems},
		{"no engine", containerNoEngine}, // these two stop the engine
		{"late engine", containerLateEngine},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, engine, h) })
		if left := ours(engine); left != "" {
			t.Errorf("after %q containers are left: %s", test.name, left)
		}
	}
}

// Where there is no majordomo-init, or another one by now, the running program is the init. The Engine must not take its own for it.
func containerOfOwnProgram(t *testing.T, _ *dockertest.Engine, h *Host) {
	defer func(was program) { h.init = was }(h.init)
	h.init = program{}
	if got := succeed2(t, h, containerShell("echo fine")); got != "fine" {
		t.Errorf("%q", got)
	}
}

// ours lists what containers of any daemon of ours there are.
func ours(e *dockertest.Engine) string {
	out, _ := e.Command("ps", "-aq", "--filter", "label=majordomo.owner").Output()
	return strings.TrimSpace(string(out))
}

func containerReport(t *testing.T, _ *dockertest.Engine, h *Host) {
	p := start(t, h, containerShell("cat"))
	for _, r := range []Report{h.Report(), p.Report()} {
		if r.Driver != DriverDocker {
			t.Errorf("driver %q", r.Driver)
		}
		for _, l := range []Layer{Env, FDs, Session, UID, Caps, NoNewPrivs, Seccomp, MountView, PIDs, IPC, UTS, Net, Egress, MemoryLimit, PIDLimit, CPULimit} {
			if !r.Has(l) {
				t.Errorf("%s is not in force: %+v", l, r.Missing)
			}
		}
	}
	if got := p.Report().Egress; got != "nothing" {
		t.Errorf("egress lets out %q", got)
	}
}

// What the image says of user, environment, entry point and volumes does not count.
func containerInside(t *testing.T, e *dockertest.Engine, h *Host) {
	out := succeed(t, h, containerPython(`
import os, socket
assert os.getuid() == os.getgid() == 212777 and os.getgroups() == [], (os.getuid(), os.getgroups())
assert sorted(os.environ) == ["HOME", "PATH"] or sorted(os.environ) == ["HOME", "LC_CTYPE", "PATH"], os.environ
assert os.getcwd() == "/root"
assert socket.gethostname() == "test"
import pwd; assert pwd.getpwuid(os.getuid()).pw_dir == "/root"
status = dict(l.rstrip("\n").split(":\t", 1) for l in open("/proc/self/status") if ":\t" in l)
for name in "CapInh CapPrm CapEff CapBnd CapAmb".split(): assert status[name] == "0" * 16, (name, status[name])
assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"
pids = [p for p in os.listdir("/proc") if p.isdigit()]
assert len(pids) == 2, pids
def refused(path):
    try: open(path, "w").close()
    except OSError: return
    raise SystemExit("could write " + path)
for path in "/file /etc/passwd /usr/file /volume/file /.majordomo/file /.majordomo/control /proc/sys/kernel/hostname".split(): refused(path)
for path in "/tmp/file /dev/shm/file /root/file".split(): open(path, "w").close()
assert os.statvfs("/volume").f_flag & os.ST_RDONLY, "the image's volume can be written"
assert os.listdir("/sys") == [], os.listdir("/sys")
try: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect("/.majordomo/control"); raise SystemExit("the control socket answers")
except OSError: pass
assert os.listdir("/proc/self/fd") == ["0", "1", "2", "3"], os.listdir("/proc/self/fd")
try: socket.create_connection(("192.0.2.1", 80), 2); raise SystemExit("connected")
except OSError: pass
print("fine")
`))
	if out != "fine" {
		t.Errorf("%q", out)
	}
	if got := ours(e); got != "" {
		t.Errorf("its container is left: %s", got)
	}
}

func containerMounts(t *testing.T, _ *dockertest.Engine, h *Host) {
	dir := t.TempDir()
	own, shared := filepath.Join(dir, "own"), filepath.Join(dir, "shared")
	err := errors.Join(os.Mkdir(own, 0o700), os.Chown(own, containerUID, containerUID), os.Mkdir(shared, 0o755), os.Chown(shared, containerUID, containerUID),
		os.WriteFile(filepath.Join(shared, "file"), []byte("shown"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	s := containerShell("cat /shared/file; echo kept >/own/deep/file; if echo x >/shared/new; then echo written; fi 2>/dev/null")
	s.Mounts = []Mount{{Source: "own", Beneath: dir, Target: "/own/deep", Writable: true}, {Source: shared, Target: "/shared"}}
	if got := succeed2(t, h, s); got != "shown" {
		t.Errorf("%q", got)
	}
	if kept, err := os.ReadFile(filepath.Join(own, "file")); err != nil || string(kept) != "kept\n" {
		t.Errorf("%q, %v", kept, err)
	}
	s.Mounts[0].Source = "link"
	if err := os.Symlink("/etc", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Start(t.Context(), s); layerOf(err) != MountView {
		t.Errorf("a link out of the directory: %v", err)
	}
}

// succeed2 is for a shell whose last command may fail.
func succeed2(t *testing.T, h *Host, s Spec) string {
	t.Helper()
	out, _, _ := output(t, h, s)
	return strings.TrimSpace(out)
}

func layerOf(err error) Layer {
	if failed, ok := errors.AsType[*StartError](err); ok {
		return failed.Layer
	}
	return ""
}

// What is let out passes the daemon; of names, those on the list and no other.
func containerNetwork(t *testing.T, _ *dockertest.Engine, h *Host) {
	testNetwork(t, h, containerPython)
	s := containerPython(`
import socket
for name in ["one.invalid", "other.invalid"]:
    try: print(name, socket.gethostbyname(name))
    except OSError as e: print(name, e.errno)
try: socket.socket().bind(("127.0.0.1", 1023)); print("bound")
except PermissionError: print("refused")
status = dict(l.rstrip("\n").split(":\t", 1) for l in open("/proc/self/status") if ":\t" in l)
print(status["CapEff"], status["CapBnd"])
`)
	s.Network, s.Hosts = NetworkList, []string{"192.0.2.7:443"}
	p := start(t, h, s)
	if got := p.Report().Egress; got != "192.0.2.7:443 over TCP" {
		t.Errorf("egress lets out %q", got)
	}
	out, _ := io.ReadAll(p.Stdout)
	if want := "one.invalid -2\nother.invalid -2\nrefused\n0000000000000000 0000000000000000\n"; string(out) != want {
		t.Errorf("%q, not %q", out, want)
	}
	<-p.Done()
	if got := p.Contacts(); len(got) != 2 || got[0].Refused == 0 {
		t.Errorf("contacts %+v", got)
	}
}

// The pipes are the native driver's: a child that does not read lets the pipe fill, one that closes is seen, and stderr is its own.
func containerPipes(t *testing.T, _ *dockertest.Engine, h *Host) {
	p := start(t, h, containerShell("echo out; echo err >&2; sleep 1000"))
	if got := line(t, p); got != "out" {
		t.Errorf("%q", got)
	}
	if err := p.Stdin.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	n, err := p.Stdin.Write(make([]byte, 1<<20))
	if !errors.Is(err, os.ErrDeadlineExceeded) || n > 64<<10 {
		t.Errorf("a deaf child took %d bytes: %v", n, err)
	}
	end(p)
	p = start(t, h, containerShell("exec >&-; cat; exit 7"))
	if rest, err := io.ReadAll(p.Stdout); err != nil || len(rest) > 0 { // while it runs
		t.Errorf("%q, %v", rest, err)
	}
	p.Stdin.Close()
	<-p.Done()
	if got := p.Exit(); got != (Exit{Code: 7}) && got != (Exit{Code: 1}) {
		t.Errorf("exit %+v", got)
	}
	if _, _, got := output(t, h, containerShell("exit 7")); got != (Exit{Code: 7}) {
		t.Errorf("exit %+v", got)
	}
}

func containerStop(t *testing.T, _ *dockertest.Engine, h *Host) {
	grace := Grace{Stdin: 500 * time.Millisecond, Term: time.Second}
	for script, want := range map[string]struct {
		stage Stage
		exit  Exit
	}{
		"exit 0":                   {StageGone, Exit{}},
		"echo up; cat":             {StageStdin, Exit{}},
		"echo up; exec sleep 1000": {StageTerm, Exit{Code: -1, Signal: "SIGTERM"}},
		"trap '' TERM; (sleep 987654 & ); echo up; while :; do sleep 987654; done": {StageKill, Exit{Code: -1, Signal: "SIGKILL"}},
	} {
		p := start(t, h, containerShell(script))
		if want.stage == StageGone {
			<-p.Done()
		} else {
			line(t, p)
		}
		if got := p.Stop(t.Context(), grace); got != want.stage {
			t.Errorf("%s: stage %s, not %s", script, got, want.stage)
		}
		if got := p.Exit(); got != want.exit {
			t.Errorf("%s: exit %+v, not %+v", script, got, want.exit)
		}
	}
	if left := alive("987654"); len(left) > 0 {
		t.Errorf("processes %v survived", left)
	}
}

func containerMemory(t *testing.T, _ *dockertest.Engine, h *Host) {
	s := containerPython("x = bytearray(200 << 20); print(len(x))")
	s.Limits.Memory = 64 << 20
	_, _, exit := output(t, h, s)
	if exit != (Exit{Code: -1, Signal: "SIGKILL", OOM: true}) {
		t.Errorf("exit %+v", exit)
	}
	s = containerPython(`
import os, time
if os.fork() == 0: x = bytearray(200 << 20)
time.sleep(60)
`)
	s.Limits.Memory = 64 << 20
	if _, _, exit = output(t, h, s); exit != (Exit{Code: -1, Signal: "SIGKILL", OOM: true}) {
		t.Errorf("a part of it ran out of memory: exit %+v", exit)
	}
	p := start(t, h, containerShell("echo up; cat"))
	line(t, p)
	if got := p.Usage(); got.Memory < 100<<10 {
		t.Errorf("usage %+v", got)
	}
	end(p)
	if got := p.Exit(); got.OOM {
		t.Errorf("a killed one: exit %+v", got)
	}
}

func containerProcesses(t *testing.T, _ *dockertest.Engine, h *Host) {
	s := containerPython(`
import os, time
n = 0
try:
    while n < 500:
        if os.fork() == 0: time.sleep(1000)
        n += 1
except OSError: pass
print(n)
`)
	s.Limits.Pids = 40
	got := succeed(t, h, s)
	if n, err := strconv.Atoi(got); err != nil || n < 10 || n > 40 {
		t.Errorf("%s processes with a limit of 40", got)
	}
}

func containerReplacedMount(t *testing.T, _ *dockertest.Engine, h *Host) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	if err := errors.Join(os.Mkdir(one, 0o755), os.Mkdir(other, 0o755)); err != nil {
		t.Fatal(err)
	}
	s := containerShell("cat")
	s.Mounts = []Mount{{Source: one, Target: "/shown"}}
	p := start(t, h, s)
	mounts, sources := shownBy(t, h, s)
	if err := checkShown(p.PID(), mounts, sources); err != nil {
		t.Errorf("as it was: %v", err)
	}
	s.Mounts[0].Source = other
	mounts, sources = shownBy(t, h, s)
	if err := checkShown(p.PID(), mounts, sources); layerOf(err) != MountView {
		t.Errorf("another directory: %v", err)
	}
}

// shownBy opens what a Spec mounts.
func shownBy(t *testing.T, h *Host, s Spec) ([]docker.Mount, []*os.File) {
	t.Helper()
	spec, sources, err := h.containerSpec(s, rendezvous{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(sources) })
	return spec.Mounts, sources
}
