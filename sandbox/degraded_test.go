package sandbox

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The rows of the table in docs/security.md, Without namespaces: each host lacks something, and either another mechanism takes its place or
// the start is refused with the layer, the reason and the fix.

const container = "namespaces,mounts,cgroups,caps" // Docker as it comes, with its own root

func TestDocker(t *testing.T) {
	onLesserHost(t, container, "TestInSelfTest", "TestInHostTree", "TestInHostTreeFiles", "TestInHostTreeNetwork", "TestInHostTreeUnrestricted",
		"TestNothingSurvives", "TestExitIsSeenByWait", "TestDaemonKilled", "TestDescriptorsAreClosed", "TestStages")
}

func TestWithoutLandlockOrMounts(t *testing.T) {
	onLesserHost(t, container+",landlock", "TestInRefused")
}

// A plain user of a container has no uid to give away: nothing ends what a connector leaves.
func TestDockerUser(t *testing.T) {
	onLesserHost(t, "namespaces,mounts,cgroups,root", "TestInRefused")
}

func TestWithoutLandlock(t *testing.T) {
	onLesserHost(t, "landlock", "TestInLandlockMissing", "TestDenied", "TestMounts")
}

func TestWithoutSomeNamespaces(t *testing.T) {
	onLesserHost(t, "ipc", "TestInNoIPC", "TestDenied", "TestNetwork")
	onLesserHost(t, "pid", "TestInNoPID", "TestNothingSurvives", "TestDaemonKilled")
	onLesserHost(t, "pid,cgroups,landlock", "TestInSharedUID", "TestInOrphanedStart")
	onLesserHost(t, "net", "TestInHostTreeNetwork")
	onLesserHost(t, "setns", "TestInNoWayBack", "TestNetwork")
}

// Where pivot_root is refused the new root is moved over the old one, and leads nowhere else.
func TestWithoutPivotRoot(t *testing.T) {
	onLesserHost(t, "pivot_root", "TestInWhole", "TestDenied", "TestMounts", "TestPlantedLinks", "TestRuntimes", "TestNetwork", "TestInNoWayUp")
}

// A container whose /proc is masked lets no plain user mount a whole one.
func TestWithMaskedProc(t *testing.T) {
	onLesserHost(t, "proc,root", "TestInMaskedProc", "TestDenied", "TestMounts", "TestNothingSurvives", "TestNetwork")
}

func TestInWhole(t *testing.T) {
	onlyOn(t, "pivot_root")
	if r := openHost(t).Report(); !r.Has(MountView) || !r.Has(Egress) {
		t.Errorf("%+v", r)
	}
}

// The way out of a changed root without capabilities is a directory that is open, or a name that climbs.
func TestInNoWayUp(t *testing.T) {
	onlyOn(t, "pivot_root")
	h := openHost(t)
	got := succeed(t, h, python(`
import os
for p in ["/" + "../" * 40 + "etc/shadow", "/proc/self/root/etc/shadow", "/proc/1/root/etc/shadow", "/proc/1/cwd/etc/shadow"]:
    try: open(p); print("REACHED", p)
    except OSError: pass
print(sorted(os.listdir("/" + "../" * 40)) == sorted(os.listdir("/")))
print(*[l.split()[4] for l in open("/proc/self/mountinfo") if l.split()[4].startswith("/sys/fs")])`))
	if got != "True" {
		t.Error(got)
	}
}

func TestInMaskedProc(t *testing.T) {
	onlyOn(t, "proc")
	r := openHost(t).Report()
	if !r.Has(MountView) || !r.Has(PIDs) || !strings.Contains(r.Notes[PIDs], "command lines of other processes") {
		t.Errorf("%+v", r)
	}
}

func TestInNoPID(t *testing.T) {
	onlyOn(t, "pid")
	checkMissing(t, openHost(t).Report(), PIDs)
}

// A check of a connector has the uid of the one that runs. Where a tree is ended by its uid, the end of the check is not the other's.
func TestInSharedUID(t *testing.T) {
	onlyOn(t, "pid", "cgroups", "landlock")
	h := openHost(t)
	runs := start(t, h, shell("echo up; exec sleep 1000"))
	line(t, runs)
	succeed(t, h, shell("true"))
	check := start(t, h, shell("echo up; exec sleep 1000"))
	line(t, check)
	end(check)
	select {
	case <-runs.Done():
		t.Errorf("the one that ran ended with a check: %+v", runs.Exit())
	default:
	}
	end(runs)
	last := start(t, h, shell("echo up; setsid sleep 2000 & exec sleep 1000"))
	line(t, last)
	end(last)
	if left := alive("sleep\x002000"); len(left) > 0 {
		t.Errorf("%d processes outlived the one that had the uid alone", len(left))
	}
}

func TestInNoIPC(t *testing.T) {
	onlyOn(t, "ipc")
	checkMissing(t, openHost(t).Report(), IPC, UTS)
}

func TestInLandlockMissing(t *testing.T) {
	onlyOn(t, "landlock")
	checkMissing(t, openHost(t).Report(), Landlock)
}

// checkMissing wants exactly these layers missing, but for what every ordinary host of the tests may miss.
func checkMissing(t *testing.T, r Report, want ...Layer) {
	t.Helper()
	missing := map[Layer]Missing{}
	for _, m := range r.Missing {
		missing[m.Layer] = m
	}
	for _, l := range want {
		if m, ok := missing[l]; !ok || m.Reason == "" || m.Fix == "" {
			t.Errorf("%s: %+v", l, m)
		}
		delete(missing, l)
	}
	for _, l := range []Layer{MemoryLimit, PIDLimit, CPULimit, Disk} {
		delete(missing, l)
	}
	if len(missing) > 0 {
		t.Errorf("missing too: %+v", missing)
	}
}

func TestInRefused(t *testing.T) {
	onlyOn(t, "namespaces")
	h, err := New(Options{StateDir: stateDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	_, err = h.Start(t.Context(), shell("true"))
	failed, ok := errors.AsType[*StartError](err)
	if !ok || failed.Layer != MountView && failed.Layer != PIDs && failed.Layer != Landlock || failed.Fix == "" || h.Ready() == nil {
		t.Errorf("error %v", err)
	}
}

func TestInHostTree(t *testing.T) {
	onlyOn(t, "caps")
	r := openHost(t).Report()
	checkMissing(t, r, MountView, PIDs, IPC, UTS, Net, Egress)
	if !r.Has(Landlock) || !r.Has(UID) || !r.Has(Seccomp) || r.Notes[Landlock] == "" {
		t.Errorf("%+v", r)
	}
}

// A connector finds at the host's paths what it finds elsewhere at its own, and nothing else opens.
func TestInHostTreeFiles(t *testing.T) {
	onlyOn(t, "caps")
	h := openHost(t)
	state := h.options.StateDir
	member, tree := filepath.Join(state, "homes/ann/pad"), filepath.Join(state, "deps/k")
	write(t, filepath.Join(tree, "left-pad/index.js"), "tree")
	write(t, filepath.Join(state, "homes/bob/pad/secret"), "of bob")
	write(t, filepath.Join(state, "majordomo.db"), "")
	write(t, filepath.Join(member, "index.js"), "own")
	for _, p := range []string{filepath.Join(state, "homes"), filepath.Join(state, "homes/ann"), member} {
		if err := os.Chmod(p, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(member, testUID, testUID); err != nil {
		t.Fatal(err)
	}
	s := shell(`set -e
		cat index.js "$CODE/index.js" "$TREE/left-pad/index.js"; echo kept >state; echo x >"$HOME/x"; echo y >"$TMPDIR/y"; echo z >/dev/null
		for p in /etc/shadow ` + state + `/homes/bob/pad/secret ` + state + `/majordomo.db /proc/1/environ; do ! cat "$p"; done
		! ls ` + state + `; ! ls ` + state + `/homes; ! ls /root; ! ls /tmp; ! touch /tmp/x; ! touch "$TREE/x"; ! touch /usr/x; ! touch /dev/shm/x`)
	s.Dir = "/root/.skald/mcp/pad"
	s.Env = append(s.Env, "CODE="+s.Dir, "TREE=/opt/tree")
	s.Mounts = []Mount{{Source: ".", Beneath: member, Target: s.Dir, Writable: true}, {Source: tree, Target: "/opt/tree"}}
	if got := succeed(t, h, s); got != "ownowntree" {
		t.Error(got)
	}
	if left, _ := os.ReadDir(h.scratch()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	info, err := os.Stat(filepath.Join(state, "homes"))
	if err != nil || info.Mode().Perm()&0o007 != 0 {
		t.Errorf("the homes are open: %v, %v", info.Mode(), err)
	}
	s.Mounts = append(s.Mounts, Mount{Source: tree, Target: s.Dir + "/node_modules"})
	if _, err := h.Start(t.Context(), s); err == nil || !strings.Contains(err.Error(), "cannot be shown over what is writable") {
		t.Errorf("error %v", err)
	}
}

// Nothing leaves where the policy is none; with any other nothing starts.
func TestInHostTreeNetwork(t *testing.T) {
	onlyOn(t)
	h := openHost(t)
	for _, network := range []Network{NetworkList, NetworkOpen} {
		s := shell("true")
		s.Network = network
		_, err := h.Start(t.Context(), s)
		failed, ok := errors.AsType[*StartError](err)
		if !ok || failed.Layer != Egress || !strings.Contains(failed.Fix, "sandbox.network") {
			t.Errorf("%s: error %v", network, err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	abstract, err := net.Listen("unix", "@sandbox-test-tree")
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	got := succeed(t, h, python(`
import socket, ctypes
for what in [lambda: socket.create_connection(("127.0.0.1", `+port+`), 2), lambda: socket.socket(socket.AF_INET6), lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
             lambda: socket.socket(socket.AF_UNIX).connect("\0sandbox-test-tree"), lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW), lambda: socket.socket(40)]:
    try: what(); print("permitted")
    except OSError: pass
a, b = socket.socketpair(); a.send(b"x"); print(b.recv(1).decode())`))
	if got != "x" {
		t.Error(got)
	}
	if r := start(t, h, connector("cat")).Report(); r.Egress != "nothing" || !r.Has(Egress) {
		t.Errorf("%+v", r)
	}
}

// What an admin has accepted starts, and says so.
func TestInHostTreeUnrestricted(t *testing.T) {
	onlyOn(t, "caps")
	h := openHostWith(t, Options{Network: Unrestricted})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	s := python(`import socket; socket.create_connection(("127.0.0.1", ` + port + `), 5); print("reached")`)
	s.Network = NetworkOpen
	if got := succeed(t, h, s); got != "reached" {
		t.Error(got)
	}
	s.Network = NetworkNone
	if out, _, exit := output(t, h, s); exit == (Exit{}) {
		t.Errorf("none lets out: %s", out)
	}
	if r := h.Report(); r.Has(Egress) || r.Egress != "" {
		t.Errorf("%+v", r)
	}
}
