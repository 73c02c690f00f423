package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordomo/configs/manifest"
	"majordomo/mcpclient/mcptest"
	"majordomo/sandbox"
	"majordomo/supervisor"
)

// How far a connector had to be driven is seen in the status and in its log.
func TestStopStages(t *testing.T) {
	h := newHouse(t)
	for mode, want := range map[string]struct {
		stage sandbox.Stage
		says  string
	}{
		"good":        {sandbox.StageStdin, "because a person stopped it: it left when its standard input was closed"},
		"spin-on-eof": {sandbox.StageTerm, "it left on SIGTERM"},
		"ignore-term": {sandbox.StageKill, "it was killed, having ignored SIGTERM"},
	} {
		h.install(mode, mcptest.Python, mode, nil)
		h.mustActivate(mode)
		tree := descendants(h.status(mode).PID)
		if err := h.StopConnector(t.Context(), "ann", mode); err != nil {
			t.Fatal(err)
		}
		i := h.status(mode)
		if i.LastStop == nil || i.LastStop.Stage != want.stage || i.State != supervisor.Idle {
			t.Errorf("%s: got %+v", mode, i)
		}
		for _, pid := range tree {
			if alive(pid) {
				t.Errorf("%s: %d lives", mode, pid)
			}
		}
		lines, err := h.Logs(t.Context(), "ann", mode, false)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for line := range lines {
			said += line.Text + "\n"
		}
		if !strings.Contains(said, want.says) {
			t.Errorf("%s: the log says %q", mode, said)
		}
	}
}

// A process that nobody calls sleeps, and the memory that this saves is known
// where the host counts it. One that has reported an event stays awake.
func TestSleep(t *testing.T) {
	h := newHouse(t)
	h.install("quiet", mcptest.Python, "good", nil)
	h.install("reports", mcptest.Python, "good", func(r *manifest.Release) {
		server := filepath.Join(h.paths.Connector("reports"), "server.py")
		text, err := os.ReadFile(server)
		if err != nil {
			t.Fatal(err)
		}
		event := `print('{"jsonrpc":"2.0","method":"event/new_mail","params":{}}', flush=True)` + "\n"
		if err := os.WriteFile(server, []byte(strings.Replace(string(text), "import json,", event+"import json,", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	h.mustActivate("quiet")
	h.mustActivate("reports")
	limited := h.host.Report().Has(sandbox.MemoryLimit)
	if used := h.status("quiet").Usage; limited && (used.Memory < 1<<20 || used.Memory > 256<<20) {
		t.Errorf("it uses %+v", used)
	}
	h.SetLimits(supervisor.Limits{Idle: 100 * time.Millisecond, StartTimeout: 5 * time.Second})
	i := h.until("quiet", func(i supervisor.Instance) bool { return i.State == supervisor.Idle })
	if limited && i.Saved < 1<<20 || i.PID != 0 {
		t.Errorf("asleep: %+v", i)
	}
	h.works("quiet")
	if i := h.status("reports"); i.State != supervisor.Serving || i.Generation != 1 {
		t.Errorf("got %+v", i)
	}
}
