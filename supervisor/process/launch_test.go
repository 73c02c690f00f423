package process

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"majordomo/configs/manifest"
	"majordomo/mcpclient/mcptest"
	"majordomo/sandbox"
	"majordomo/supervisor"
	"majordomo/supervisor/activations"
)

func itoa(n int) string { return strconv.Itoa(n) }

// The line from an activation to an answer, in both runtimes.
func TestActivateAndCall(t *testing.T) {
	h := newHouse(t)
	for id, r := range map[string]mcptest.Runtime{"snake": mcptest.Python, "knot": mcptest.Node} {
		h.install(id, r, "good", nil)
		act := h.mustActivate(id)
		if act.State != activations.Ready || len(act.Tools) != 1 || act.Tools[0].Name != "mcp__"+id+"__echo" {
			t.Errorf("%s: %+v", id, act)
		}
		h.works(id)
		i := h.status(id)
		if i.State != supervisor.Serving || i.Tools != 1 || i.Generation != 1 || !alive(i.PID) {
			t.Errorf("%s: %+v", id, i)
		}
		for _, layer := range []sandbox.Layer{sandbox.Env, sandbox.NoNewPrivs, sandbox.Seccomp, sandbox.MountView} {
			if !i.Sandbox.Has(layer) {
				t.Errorf("%s runs without %s: %+v", id, layer, i.Sandbox)
			}
		}
	}
	pid := h.status("snake").PID
	if err := h.Deactivate(t.Context(), "ann", "snake"); err != nil {
		t.Fatal(err)
	}
	if alive(pid) || !alive(h.status("knot").PID) {
		t.Errorf("deactivated, it lives: %v; the other one lives: %v", alive(pid), alive(h.status("knot").PID))
	}
}

// kill -9 of an idle connector is seen without a call, and repaired.
func TestKilled(t *testing.T) {
	h := newHouse(t)
	h.install("snake", mcptest.Python, "good", nil)
	h.mustActivate("snake")
	old := h.status("snake").PID
	begun := time.Now()
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	now := h.until("snake", func(i supervisor.Instance) bool { return ready(i) && i.PID != old })
	t.Logf("it served again after %v", time.Since(begun))
	if now.Generation != 2 || now.Restarts != 1 || now.Cause.Kind != supervisor.CauseSignal || !strings.Contains(now.Cause.Text, "SIGKILL") || alive(old) {
		t.Errorf("got %+v", now)
	}
	h.works("snake")
	h.works("snake")
}

// Whatever a connector starts in the background is gone after its stop.
func TestNothingIsLeft(t *testing.T) {
	for _, mode := range []string{"fork", "setsid", "spin-on-eof", "ignore-term"} {
		t.Run(mode, func(t *testing.T) {
			h := newHouse(t)
			h.install("snake", mcptest.Python, mode, nil)
			h.mustActivate("snake")
			h.works("snake")
			tree := descendants(h.status("snake").PID)
			if len(tree) < 2 {
				t.Errorf("only %v run", tree)
			}
			if err := h.Deactivate(t.Context(), "ann", "snake"); err != nil {
				t.Fatal(err)
			}
			for _, pid := range tree {
				if alive(pid) {
					t.Errorf("%d lives; all were %v", pid, tree)
				}
			}
		})
	}
}

// descendants of a process, itself included.
func descendants(pid int) []int {
	all := []int{pid}
	tasks, err := filepath.Glob("/proc/" + itoa(pid) + "/task/*/children")
	if err != nil {
		return all
	}
	for _, path := range tasks {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(data)) {
			n, err := strconv.Atoi(child)
			if err == nil {
				all = append(all, descendants(n)...)
			}
		}
	}
	return all
}

// What does not start says why, in one sentence, and nothing of it is left;
// another connector is not disturbed.
func TestBadStarts(t *testing.T) {
	h := newHouse(t)
	h.install("fine", mcptest.Python, "good", nil)
	h.mustActivate("fine")
	for _, c := range []struct {
		id, mode string
		change   func(*manifest.Release)
		says     []string
	}{
		{id: "dies", mode: "exit 3", says: []string{"exited with code 3 before its handshake was done", "last words: exit 3 at start"}},
		{id: "dies-later", mode: "exit 4 list", says: []string{"exited with code 4", "last words"}},
		{id: "killed", mode: "signal 11 initialize", says: []string{"SIGSEGV"}},
		{id: "no-entry", mode: "good", change: func(r *manifest.Release) { r.Args[0] = "missing.py" }, says: []string{"exited with code 2", "No such file"}},
		{id: "old-word", mode: "version 1999-01-01", says: []string{"1999-01-01"}},
	} {
		h.install(c.id, mcptest.Python, c.mode, c.change)
		act, err := h.activate(c.id)
		if err == nil || act.State != activations.Error {
			t.Errorf("%s: %+v (%v)", c.id, act, err)
			continue
		}
		for _, want := range c.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", c.id, err, want)
			}
		}
		if err := h.Deactivate(t.Context(), "ann", c.id); err != nil {
			t.Error(err)
		}
	}
	h.works("fine")
	if i := h.status("fine"); i.Generation != 1 {
		t.Errorf("the good one was disturbed: %+v", i)
	}
}

// One that never answers is given up after its time, and it is said what it
// printed instead.
func TestStartIsBounded(t *testing.T) {
	h := newHouse(t)
	h.install("mute", mcptest.Python, "never-init", nil)
	h.install("other", mcptest.Python, "lsp", nil)
	h.install("own-ids", mcptest.Node, "own-ids", nil)
	var all sync.WaitGroup
	for id, want := range map[string]string{"mute": "its handshake failed", "other": "Content-Length", "own-ids": "an id that is not the request's"} {
		all.Go(func() {
			if _, err := h.activate(id); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "context deadline") {
				t.Errorf("%s: got %v", id, err)
			}
		})
	}
	all.Wait()
}

// Sloppy ones work all the same.
func TestSloppyStarts(t *testing.T) {
	h := newHouse(t)
	for i, mode := range []string{"banner", "stderr 300000", "bom", "crlf", "string-ids"} {
		id := "sloppy" + itoa(i)
		h.install(id, mcptest.Python, mode, nil)
		h.mustActivate(id)
		h.works(id)
	}
}

// Fifty agents call a connector that is down: one process.
func TestOneStart(t *testing.T) {
	h := newHouse(t)
	h.install("snake", mcptest.Python, "good", nil)
	h.mustActivate("snake")
	if err := syscall.Kill(h.status("snake").PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.until("snake", func(i supervisor.Instance) bool { return i.State == supervisor.Backoff || i.Generation == 2 })
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() { h.works("snake") })
	}
	calls.Wait()
	if i := h.status("snake"); i.Generation != 2 {
		t.Errorf("got %+v", i)
	}
}

// A secret reaches the process and the connector's own check, and is nowhere
// else: not in argv, not in a log, not in any file, not in an error.
func TestSecretStaysSecret(t *testing.T) {
	const canary = "canary-93b1aa-keep-quiet"
	h := newHouse(t)
	h.install("snake", mcptest.Python, "good", func(r *manifest.Release) {
		r.Env = []manifest.Env{{Name: "KEY", Secret: true, Required: true}, {Name: "MODE"}}
		r.Verify = &manifest.Verify{Command: `echo "checking $KEY" >&2
tr '\0' ' ' </proc/self/cmdline | grep -q ` + canary + ` && echo "it is in argv" >&2 && exit 1
[ {SECRET:KEY} = "$KEY" ] && [ "{ENV:MODE}" = good ] || { echo "no: $KEY $MODE" >&2; exit 1; }`}
	})
	request := supervisor.Request{
		Member: "ann", Connector: "snake",
		Set: map[string]string{"MODE": "bad"}, Secrets: map[string]string{"KEY": canary},
	}
	if _, err := h.Activate(t.Context(), request); err == nil || !strings.Contains(err.Error(), "no: [redacted] bad") {
		t.Fatalf("got %v", err)
	}
	request.Set["MODE"] = "good"
	if _, err := h.Activate(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	pid := h.status("snake").PID
	found := 0
	for _, pid := range descendants(pid) {
		environ, err := os.ReadFile("/proc/" + itoa(pid) + "/environ")
		if err == nil && bytes.Contains(environ, []byte(canary)) {
			found++
		}
		if argv, err := os.ReadFile("/proc/" + itoa(pid) + "/cmdline"); err != nil || bytes.Contains(argv, []byte("canary")) {
			t.Errorf("argv of %d: %q (%v)", pid, argv, err)
		}
	}
	if found == 0 {
		t.Error("the process does not have it")
	}
	if err := h.Deactivate(t.Context(), "ann", "snake"); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(h.paths.State, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(canary)) {
			t.Errorf("%s holds it", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLogsAndProbe(t *testing.T) {
	h := newHouse(t)
	for id, r := range map[string]mcptest.Runtime{"snake": mcptest.Python, "knot": mcptest.Node} {
		h.install(id, r, "stderr 640", nil)
		h.mustActivate(id)
		ctx, cancel := context.WithCancel(t.Context())
		lines, err := h.Logs(ctx, "ann", id, true)
		if err != nil {
			t.Fatal(err)
		}
		for line := range lines { // the call below makes it say more
			if strings.HasPrefix(line.Text, "yyy") {
				break
			}
			go h.echo(id, "more")
		}
		cancel()
		for path, refused := range map[string]bool{
			"/etc/shadow": true, h.paths.VaultKey(): true, h.paths.Home("ann"): true, "/etc/passwd": false, "/root": false,
		} {
			got, err := h.Probe(t.Context(), "ann", id, path)
			if err != nil || got.Refused != refused || got.Refused != (got.Error != "") {
				t.Errorf("%s, %s: %+v (%v)", id, path, got, err)
			}
		}
	}
}

// A tool that cannot be offered is not listed, and the connector's log says why.
func TestToolsLeftOut(t *testing.T) {
	h := newHouse(t)
	h.install("snake", mcptest.Python, "schemas", nil)
	h.mustActivate("snake")
	h.works("snake")
	lines, err := h.Logs(t.Context(), "ann", "snake", false)
	if err != nil {
		t.Fatal(err)
	}
	for line := range lines {
		if strings.Contains(line.Text, `the tool "odd3" is not offered: its input schema refers to "file:///etc/passwd"`) {
			return
		}
	}
	t.Error("nothing was said of odd3")
}

// A disk that is full of logs stops no connector, and its member is told, once.
func TestNoRoomForLogs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestNoRoomForLogs skipped: only root can mount a disk that is full soon")
	}
	h := newHouse(t)
	logs := filepath.Join(h.paths.State, "logs")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", logs, "tmpfs", 0, "mode=700,size=64k"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(logs, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	h.install("snake", mcptest.Python, "stderr 1000000", nil)
	h.mustActivate("snake")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for e := range h.Events(ctx, "ann", true) {
		if e.Kind == supervisor.EventNotice {
			if e.Connector != "snake" || e.Cause != supervisor.CauseDisk || !strings.Contains(e.Text, "no space is left") || e.Next == "" {
				t.Errorf("told %+v", e)
			}
			break
		}
	}
	for range 3 {
		h.works("snake")
		if err := h.Restart(t.Context(), "ann", "snake"); err != nil {
			t.Fatal(err)
		}
	}
	told := 0
	for e := range h.Events(t.Context(), "ann", false) {
		if e.Kind == supervisor.EventNotice {
			told++
		}
	}
	if i := h.status("snake"); told != 1 || i.Restarts != 0 || !ready(i) {
		t.Errorf("told %d times; %+v", told, i)
	}
}

// QR sign-in against a real process: the session outlives the process.
func TestSignIn(t *testing.T) {
	h := newHouse(t)
	h.install("phone", mcptest.Python, "qr 1", func(r *manifest.Release) { r.Auth.Kind = manifest.AuthQR })
	if act := h.mustActivate("phone"); act.State != activations.PendingLogin || act.AuthState != "pending" {
		t.Errorf("got %+v", act)
	}
	state := func() activations.State {
		all, err := h.Activations(t.Context(), "ann")
		if err != nil {
			t.Fatal(err)
		}
		return all[0].State
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for state() != activations.Ready {
		if _, err := h.LoginStatus(t.Context(), "ann", "phone"); err != nil {
			t.Fatal(err)
		}
		<-tick.C
	}
	if err := h.Restart(t.Context(), "ann", "phone"); err != nil {
		t.Fatal(err)
	}
	got, err := h.LoginStatus(t.Context(), "ann", "phone")
	if err != nil || got.State != "ready" || state() != activations.Ready {
		t.Errorf("after a restart: %+v (%v), %s", got, err, state())
	}
	for _, tool := range []string{"mcp__phone__login_status", "mcp__phone__logout"} {
		if _, err := h.Call(t.Context(), "ann", tool, nil); err == nil {
			t.Errorf("an agent could call %s", tool)
		}
	}
}
