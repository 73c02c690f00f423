package process

import (
	"strings"
	"testing"

	"majordomo/mcpclient/mcptest"
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
