package sandbox

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"majordomo/sandbox/docker/dockertest"
)

func containerOfKilledDaemon(t *testing.T, e *dockertest.Engine, _ *Host) {
	state, mark := stateDir(t), fmt.Sprint("4000.", os.Getpid())
	killDaemon(t, state, "SANDBOX_TEST_MARK="+mark, "SANDBOX_TEST_ENGINE="+e.Address)
	if left := alive(mark); len(left) > 0 {
		t.Errorf("%d left", left)
	}
	if ours(e) == "" {
		t.Error("nothing is left to sweep")
	}
	other := openHostWith(t, Options{Driver: DriverDocker, Engine: e.Address, Image: testImage})
	if err := other.Sweep(t.Context()); err != nil || ours(e) == "" {
		t.Errorf("another daemon's sweep: %v, left %q", err, ours(e))
	}
	next, err := New(Options{StateDir: state, Driver: DriverDocker, Engine: e.Address, Image: testImage})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if err := next.Sweep(t.Context()); err != nil || ours(e) != "" {
		t.Errorf("sweep: %v, left %q", err, ours(e))
	}
}

// A container that runs on, as when its init hangs, is ended by the next daemon.
func containerSweep(t *testing.T, e *dockertest.Engine, h *Host) {
	p := start(t, h, containerShell("sleep 1000"))
	if err := h.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	<-p.Done()
	if got := p.Exit(); got.Signal != "SIGKILL" {
		t.Errorf("exit %+v", got)
	}
	if got := ours(e); got != "" {
		t.Errorf("left: %s", got)
	}
}

func containerNoImage(t *testing.T, e *dockertest.Engine, _ *Host) {
	h, err := New(Options{StateDir: stateDir(t), Driver: DriverDocker, Engine: e.Address, Image: "no-such-image"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Ready(); err == nil || !strings.Contains(err.Error(), `no image "no-such-image"; build it with ./scripts/image`) {
		t.Errorf("%v", err)
	}
	if slices.Contains(h.Report().InForce, MountView) {
		t.Errorf("%+v", h.Report())
	}
}

func containerNoEngine(t *testing.T, e *dockertest.Engine, h *Host) {
	p := start(t, h, containerShell("echo up; sleep 1000"))
	line(t, p)
	e.Stop()
	if got := p.Stop(t.Context(), Grace{Stdin: time.Millisecond, Term: time.Millisecond}); got == StageStuck {
		t.Errorf("with the engine stopped: stage %s", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := h.Start(ctx, containerShell("true")); err == nil {
		t.Error("started without an engine")
	}
	again, err := New(Options{StateDir: stateDir(t), Driver: DriverDocker, Engine: e.Address, Image: testImage})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.Ready(); err == nil || !strings.Contains(err.Error(), "does not answer") || !strings.Contains(err.Error(), "systemctl start docker") {
		t.Errorf("%v", err)
	}
}

// An Engine that is started after the daemon is found at the next start, and what an earlier daemon left with it is gone by then. One that
// is not there is not asked at every start.
func containerLateEngine(t *testing.T, e *dockertest.Engine, _ *Host) {
	state := stateDir(t)
	e.Run()
	owner := Options{StateDir: state, Driver: DriverDocker}.owner()
	e.Docker("create", "--label", "majordomo.owner="+owner, "--entrypoint", "/bin/sh", testImage)
	e.Stop()
	h, err := New(Options{StateDir: state, Driver: DriverDocker, Engine: e.Address, Image: testImage})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	h.pause = time.Hour
	if err := h.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	if err := h.Ready(); err == nil || h.Report().Has(MountView) {
		t.Errorf("without an engine: %v, %+v", err, h.Report())
	}
	e.Run()
	if _, err := h.Start(t.Context(), containerShell("true")); err == nil {
		t.Error("it was asked again at once")
	}
	h.pause = 0
	if got := succeed(t, h, containerShell("echo fine")); got != "fine" {
		t.Errorf("%q", got)
	}
	if err := h.Ready(); err != nil || !h.Report().Has(MountView) || !h.Report().Has(MemoryLimit) {
		t.Errorf("with an engine: %v, %+v", err, h.Report())
	}
	if left := ours(e); left != "" {
		t.Errorf("an earlier daemon's containers are left: %s", left)
	}
}

// An init has the capabilities that docs/security.md lists and no other, and the connector none.
func containerCapabilities(t *testing.T, e *dockertest.Engine, h *Host) {
	for network, want := range map[Network]string{
		NetworkNone: "[CAP_SETGID CAP_SETPCAP CAP_SETUID]",
		NetworkOpen: "[CAP_NET_ADMIN CAP_NET_BIND_SERVICE CAP_SETGID CAP_SETPCAP CAP_SETUID]",
	} {
		s := containerPython(`print(*[l.split()[1] for l in open("/proc/self/status") if l.startswith(("Cap", "NoNewPrivs"))], flush=True); input()`)
		s.Network = network
		p := start(t, h, s)
		if got := line(t, p); got != strings.Repeat("0000000000000000 ", 5)+"1" {
			t.Errorf("%s: the connector's five sets and no_new_privs are %q", network, got)
		}
		got := e.Docker("inspect", "--format", "{{.HostConfig.CapDrop}} {{.HostConfig.CapAdd}} {{.HostConfig.Privileged}} {{.HostConfig.SecurityOpt}} "+
			"{{.HostConfig.NetworkMode}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Devices}} {{.HostConfig.UsernsMode}}", ours(e))
		if want := "[ALL] " + want + " false [no-new-privileges] none true [] "; got+" " != want && got != want {
			t.Errorf("%s: the container has\n%s, not\n%s", network, got, want)
		}
		end(p)
	}
}

// What is in memory is no more in a container than it is natively: programs can be run from /tmp and the home, as those that unpack themselves
// need, and nothing there is a device or sets ids. In /dev/shm the Engine has nothing run either.
func containerMemoryFileSystems(t *testing.T, _ *dockertest.Engine, h *Host) {
	const look = `
mounts = {f[4]: set(f[5].split(",")) for f in map(str.split, open("/proc/self/mountinfo"))}
for path in "/tmp", "/root", "/dev/shm": print(path, sorted(mounts[path] & {"noexec", "nosuid", "nodev", "ro"}))
`
	const common = "/tmp ['nodev', 'nosuid']\n/root ['nodev', 'nosuid']\n/dev/shm ['nodev', "
	if got := succeed(t, h, containerPython(look)); got != common+"'noexec', 'nosuid']" {
		t.Errorf("in a container %q", got)
	}
	if got := succeed(t, openHost(t), python(look)); got != common+"'nosuid']" {
		t.Errorf("natively %q", got)
	}
}
