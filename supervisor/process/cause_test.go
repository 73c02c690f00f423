package process

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"majordomo/configs/manifest"
	"majordomo/mcpclient/mcptest"
	"majordomo/sandbox"
	"majordomo/supervisor"
)

// Real processes that do not come up, each for a reason of its own: the status
// names it, and says what to do next.
func TestCauses(t *testing.T) {
	h := newHouse(t)
	entry := func(name string) func(*manifest.Release) {
		return func(r *manifest.Release) { r.Args[0] = name }
	}
	says := func(id, text string) func(*manifest.Release) {
		return func(r *manifest.Release) {
			if err := os.WriteFile(filepath.Join(h.paths.Connector(id), r.Args[0]), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var all sync.WaitGroup
	installed := make(chan struct{})
	for _, c := range []struct {
		id      string
		runtime mcptest.Runtime
		mode    string
		change  func(*manifest.Release)
		want    supervisor.CauseKind
		next    string
	}{
		{"no-file-py", mcptest.Python, "good", entry("missing.py"), supervisor.CauseMissingFile, "majordomo update no-file-py"},
		{"no-file-js", mcptest.Node, "good", entry("missing.js"), supervisor.CauseMissingFile, "update"},
		{"no-module-py", mcptest.Python, "good", says("no-module-py", "import not_there"), supervisor.CauseMissingModule, "publisher"},
		{"no-module-js", mcptest.Node, "good", says("no-module-js", "require('not-there')"), supervisor.CauseMissingModule, "publisher"},
		{"no-module-mjs", mcptest.Node, "good", says("no-module-mjs", "import('not-there')"), supervisor.CauseMissingModule, "publisher"},
		{"background", mcptest.Python, "exit 0", nil, supervisor.CauseExit, "in the background"},
		{"no-program", mcptest.Python, "exit 127", nil, supervisor.CauseMissingFile, "a program that is not there"},
		{"code", mcptest.Python, "exit 3", nil, supervisor.CauseExit, "majordomo logs code --member ann"},
		{"signal", mcptest.Python, "signal 11 initialize", nil, supervisor.CauseSignal, "publisher"},
		{"mute", mcptest.Python, "never-init", nil, supervisor.CauseStartLimit, "limits.start_timeout"},
		{"old-word", mcptest.Python, "version 1999-01-01", nil, supervisor.CauseProtocol, "author test"},
	} {
		h.install(c.id, c.runtime, c.mode, c.change)
		all.Go(func() {
			<-installed
			if _, err := h.activate(c.id); err == nil {
				t.Errorf("%s came up", c.id)
				return
			}
			got := h.status(c.id).Cause
			if got == nil || got.Kind != c.want || !strings.Contains(got.Next, c.next) {
				t.Errorf("%s: got %+v, want %s and %q", c.id, got, c.want, c.next)
			}
		})
	}
	close(installed)
	all.Wait()
}

func TestOutOfMemory(t *testing.T) {
	h := newHouse(t)
	if !h.host.Report().Has(sandbox.MemoryLimit) {
		t.Skip("this host does not limit the memory of a connector")
	}
	h.install("eats", mcptest.Python, "good", func(*manifest.Release) {
		if err := os.WriteFile(filepath.Join(h.paths.Connector("eats"), "server.py"), []byte("x = b'x' * (2 << 30)"), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := h.activate("eats"); err == nil {
		t.Error("it came up")
	}
	if got := h.status("eats").Cause; got == nil || got.Kind != supervisor.CauseOOM || !strings.Contains(got.Next, "limits.memory") {
		t.Errorf("got %+v", got)
	}
}

// Who waited for an answer is told how the process ended, not that a pipe was closed.
func TestLostCall(t *testing.T) {
	h := newHouse(t)
	h.install("dies", mcptest.Python, "signal 9 call", nil)
	h.mustActivate("dies")
	if _, err := h.echo("dies", "hello"); err == nil || !strings.Contains(err.Error(), "it went away during the call: its process was killed by SIGKILL") {
		t.Errorf("got %v", err)
	}
}
