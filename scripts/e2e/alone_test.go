package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// A plain `go build ./cmd/majordomo` is enough: where majordomo-init does not lie beside it, the
// binary is its own init.
func TestBinaryAlone(t *testing.T) {
	alone := filepath.Join(t.TempDir(), "majordomo")
	if out, err := exec.Command("cp", binary(), alone).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h := houseOf(t, alone)
	h.ok("member", "add", "ann")
	h.activate("notes")
	if running := h.running(); len(running) != 1 || len(running[0].Sandbox.Layers) == 0 {
		t.Errorf("running: %+v", running)
	}
	h.ok("call", "mcp__notes__list_notes")
}
