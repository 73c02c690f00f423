package process

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"majordomo/mcpclient/mcptest"
	"majordomo/supervisor"
)

// A message may be as long as its own connector's limit says, and a longer one
// fails its call only.
func TestLongMessage(t *testing.T) {
	h := newHouse(t)
	for _, id := range []string{"tight", "roomy"} {
		h.install(id, mcptest.Python, "big 200000", nil)
		h.mustActivate(id)
		for range 2 {
			got, err := h.echo(id, "x")
			if id == "roomy" && len(got) < 200_000 || id == "tight" && (err == nil || !strings.Contains(err.Error(), "longer than one message may be")) {
				t.Errorf("%s: %d bytes, %v", id, len(got), err)
			}
		}
		if i := h.status(id); i.Generation != 1 || !ready(i) {
			t.Errorf("%+v", i)
		}
	}
}

// What a connector prints where only messages belong, and what it asks for in
// vain, is in its log, without secrets.
func TestNotesInTheLog(t *testing.T) {
	h := newHouse(t)
	for id, tt := range map[string]struct{ mode, want string }{
		"loud":    {"echo-stdin", "[stdout"},
		"wordy":   {"banner", "[stdout] Fake server 1.0"},
		"curious": {"ask-elicit", "[majordomo] it asked for elicitation/create"},
	} {
		h.install(id, mcptest.Python, tt.mode, nil)
		h.mustActivate(id)
		if _, err := h.echo(id, "x"); err != nil {
			t.Error(err)
		}
		lines, err := h.Logs(t.Context(), "ann", id, false)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for line := range lines {
			text.WriteString(line.Text + "\n")
		}
		if !strings.Contains(text.String(), tt.want) {
			t.Errorf("%s: the log has no %q:\n%s", id, tt.want, &text)
		}
	}
}

// A flood without a line end takes neither the daemon's memory nor the time of
// other connectors.
func TestFloodBesideOthers(t *testing.T) {
	h := newHouse(t)
	for id, mode := range map[string]string{"flood": "endless", "fine": "good"} {
		h.install(id, mcptest.Python, mode, nil)
		h.mustActivate(id)
	}
	ctx, cancel := context.WithCancel(t.Context())
	flooded := make(chan error, 1)
	go func() {
		_, err := h.Call(ctx, "ann", "mcp__flood__echo", nil)
		flooded <- err
	}()
	lines, err := h.Logs(t.Context(), "ann", "flood", true)
	if err != nil {
		t.Fatal(err)
	}
	for line := range lines {
		if strings.Contains(line.Text, "[stdout, too long] xxx") {
			break
		}
	}
	for range 20 {
		h.works("fine")
	}
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	if now.HeapAlloc > 100<<20 {
		t.Errorf("%d MiB are in use", now.HeapAlloc>>20)
	}
	cancel()
	if err := <-flooded; !errors.Is(err, context.Canceled) {
		t.Errorf("the call got %v", err)
	}
	if i := h.status("flood"); i.Generation != 1 || !ready(i) {
		t.Errorf("%+v", i)
	}
}

// A tool that a connector grows is on its member's list, and whoever waits for
// changes of that is told.
func TestGrow(t *testing.T) {
	h := newHouse(t)
	h.install("snake", mcptest.Python, "grow", nil)
	h.mustActivate("snake")
	changed := h.Changed("ann")
	h.works("snake")
	<-changed
	tools, err := h.Tools(t.Context(), "ann")
	if err != nil || len(tools) != 2 || tools[1].Name != "mcp__snake__grown1" {
		t.Errorf("%+v, %v", tools, err)
	}
}

// One that lives on but can no longer be talked to is ended and started anew.
func TestClosedEnds(t *testing.T) {
	h := newHouse(t)
	h.install("mute", mcptest.Python, "close-stdout", nil)
	h.install("deaf", mcptest.Python, "close-stdin", nil)
	for id, want := range map[string]string{"mute": "closed its output", "deaf": "cannot write to the connector"} {
		h.mustActivate(id)
		old := h.status(id).PID
		if got, err := h.echo(id, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v", id, got, err)
		}
		h.until(id, func(i supervisor.Instance) bool { return ready(i) && i.PID != old })
		if alive(old) {
			t.Errorf("%s: the old process lives", id)
		}
	}
}

// An answer that is no use fails its call, for what it is; the connector goes on.
func TestUselessAnswers(t *testing.T) {
	h := newHouse(t)
	for id, want := range map[string]string{"neither": "neither a result nor an error", "nan": "not valid JSON", "deep": "not valid JSON"} {
		h.install(id, mcptest.Python, id, nil)
		h.mustActivate(id)
		for range 2 {
			if got, err := h.echo(id, "x"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "went away") {
				t.Errorf("%s: got %s, %v", id, got, err)
			}
		}
		if i := h.status(id); i.Generation != 1 || !ready(i) {
			t.Errorf("%+v", i)
		}
	}
}

// One that speaks as LSP does is not waited for, and whoever activates it is told why.
func TestLSP(t *testing.T) {
	h := newHouse(t)
	h.install("lsp", mcptest.Node, "lsp", nil)
	_, err := h.activate("lsp")
	got := h.status("lsp").Cause
	if err == nil || !strings.Contains(err.Error(), "speaks LSP framing") || got == nil || got.Kind != supervisor.CauseProtocol || !strings.Contains(got.Next, "author test") {
		t.Errorf("got %v, %+v", err, got)
	}
}

// A connector that knows only the newest protocol, and does not survive or
// answer the question for another one, is asked the other way at its next
// start; after that, at once.
func TestModernOnly(t *testing.T) {
	h := newHouse(t)
	for how, r := range map[string]mcptest.Runtime{"ends": mcptest.Python, "silent": mcptest.Node} {
		h.install(how, r, "modern "+how, nil)
		if _, err := h.activate(how); err == nil {
			t.Errorf("%s: it came up at once", how)
		}
		first := h.until(how, ready)
		h.works(how)
		if err := h.Restart(t.Context(), "ann", how); err != nil {
			t.Error(err)
		}
		if again := h.status(how); !ready(again) || again.Generation != first.Generation+1 {
			t.Errorf("%s: %+v", how, again)
		}
		h.works(how)
	}
}

// One that comes back and lists nothing any more looks well, and is of no use: its member is told, once and not at each start.
func TestToolsAreGone(t *testing.T) {
	h := newHouse(t)
	program, err := os.ReadFile("../../mcpclient/mcptest/server.py")
	if err != nil {
		t.Fatal(err)
	}
	h.program("snake", strings.Replace(string(program), `tools = ["echo"]`, `tools = [] if os.path.exists("ran") else ["echo"]
open("ran", "w").close()`, 1))
	h.mustActivate("snake")
	told := func() (all []supervisor.Event) {
		for e := range h.Events(t.Context(), "ann", false) {
			if e.Kind == supervisor.EventNotice {
				all = append(all, e)
			}
		}
		return all
	}
	if got := told(); len(got) != 0 {
		t.Errorf("with its tools it is told %+v", got)
	}
	for range 2 {
		if err := h.Restart(t.Context(), "ann", "snake"); err != nil {
			t.Fatal(err)
		}
	}
	got := told()
	if len(got) != 1 || got[0].Cause != supervisor.CauseTools || got[0].To != supervisor.Serving || !strings.Contains(got[0].Text, "where it had 1") || got[0].Next == "" {
		t.Errorf("told %+v", got)
	}
	if tools, err := h.Tools(t.Context(), "ann"); err != nil || len(tools) != 0 {
		t.Errorf("listed: %+v, %v", tools, err)
	}
}
