package process

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"majordomo/configs/manifest"
	"majordomo/mcpclient/mcptest"
	"majordomo/supervisor"
)

// A connector that spins and never answers is called by ten agents at once, over and over: there is one of it at a time, and only as
// often as the ladder lets it start.
func TestSpinningIsStartedOnce(t *testing.T) {
	h := newHouse(t)
	h.program("spins", `
import fcntl, os
os.write(os.open("starts", os.O_WRONLY | os.O_CREAT | os.O_APPEND), b"start\n")
lock = open("lock", "w")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    os.write(os.open("starts", os.O_WRONLY | os.O_APPEND), b"overlap\n")
while True: pass
`)
	var agents sync.WaitGroup
	agents.Go(func() {
		if _, err := h.activate("spins"); err == nil {
			t.Error("it came up")
		}
	})
	for range 10 {
		agents.Go(func() {
			for h.status("spins").Generation < 2 {
				if _, err := h.echo("spins", "hello"); err == nil {
					t.Error("it answered")
				}
			}
		})
	}
	agents.Wait()
	now := h.until("spins", func(i supervisor.Instance) bool { return i.Generation == 2 && i.State == supervisor.Backoff })
	starts := h.kept("spins", "starts")
	if strings.Contains(starts, "overlap") || strings.Count(starts, "start") != int(now.Generation) {
		t.Errorf("after %d starts it had noted:\n%s", now.Generation, starts)
	}
}

// Servers that want to be the only one kill whom their pid file names. After a crash and after a restart that must not be themselves,
// though every start has a pid namespace of its own in which numbers begin anew.
func TestPIDFile(t *testing.T) {
	h := newHouse(t)
	program, err := os.ReadFile("../../mcpclient/mcptest/server.py")
	if err != nil {
		t.Fatal(err)
	}
	h.program("single", `
import os, signal, time
try:
    os.kill(int(open("pid").read()), signal.SIGKILL)
except (OSError, ValueError):
    pass
with open("pid", "w") as f: f.write(str(os.getpid()))
`+string(program))
	h.mustActivate("single")
	for range 3 {
		if err := h.Restart(t.Context(), "ann", "single"); err != nil {
			t.Fatal(err)
		}
		h.works("single")
	}
	if i := h.status("single"); i.Restarts != 0 {
		t.Errorf("it was restarted by itself: %+v", i)
	}
}

// program puts a python connector in place that is this program.
func (h *house) program(id, text string) {
	h.t.Helper()
	h.install(id, mcptest.Python, "good", func(*manifest.Release) {
		if err := os.WriteFile(filepath.Join(h.paths.Connector(id), "server.py"), []byte(text), 0o644); err != nil {
			h.t.Fatal(err)
		}
	})
}

// kept is what a connector wrote into a file of its own directory.
func (h *house) kept(id, name string) string {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(h.paths.ConnectorDir("ann", id), name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// One that is killed during a call fails that call, which is not made again, and serves the next ones, not only the first of them.
func TestKilledDuringACall(t *testing.T) {
	h := newHouse(t)
	program, err := os.ReadFile("../../mcpclient/mcptest/server.py")
	if err != nil {
		t.Fatal(err)
	}
	h.program("snake", strings.Replace(string(program), "def tools_call(id, params):\n", `def tools_call(id, params):
    first = not os.path.exists("calls")
    with open("calls", "a") as f: f.write(params["arguments"]["text"] + "\n")
    while first: signal.pause()
`, 1))
	h.mustActivate("snake")
	old := h.status("snake").PID
	failed := make(chan error, 1)
	go func() {
		_, err := h.echo("snake", "the first")
		failed <- err
	}()
	h.until("snake", func(supervisor.Instance) bool {
		text, err := os.ReadFile(filepath.Join(h.paths.ConnectorDir("ann", "snake"), "calls"))
		return err == nil && string(text) == "the first\n"
	})
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "SIGKILL") {
		t.Errorf("the call got %v", err)
	}
	for range 2 {
		h.works("snake")
	}
	if tools, err := h.Tools(t.Context(), "ann"); err != nil || len(tools) != 1 {
		t.Errorf("listed: %+v, %v", tools, err)
	}
	if calls := h.kept("snake", "calls"); strings.Count(calls, "the first\n") != 1 {
		t.Errorf("it was called with\n%s", calls)
	}
}
