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
