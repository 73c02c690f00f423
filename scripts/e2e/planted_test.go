package e2e

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What a connector leaves in its own directory neither holds up the daemon nor leads it astray: pipes that nobody writes to, links that lead
// out, names that are no text, a file of four terabytes that holds nothing, and a name that is a directory and a link in turns. At the end
// all of it goes, and nothing outside with it.
func TestPlanted(t *testing.T) {
	everyUser(t, func(t *testing.T, user *syscall.Credential) {
		h := hostileHouse(t, user)
		before := h.instanceOf("bob", "notes")
		outside := publicDir(t)
		kept := filepath.Join(outside, "inside", "kept")
		if err := os.Mkdir(filepath.Dir(kept), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, kept, "untouched")
		h.shell("chmod", "-R", "a+rwX", outside)

		for tool, args := range map[string]map[string]any{"plant": {"outside": outside}, "race": {"outside": outside, "seconds": 600}} {
			if _, err := h.hostile(tool, args); err != nil {
				t.Fatalf("%s: %v", tool, err)
			}
		}
		h.ok("status", "-v")
		h.ok("doctor")
		h.ok("logs", "hostile", "--member", "ann")
		h.ok("gc", "--dry-run")
		for range 2 {
			h.ok("restart", "hostile", "--member", "ann")
			if e, err := h.inside("limits-core.py", map[string]string{}); err != nil || e.Code == 0 {
				t.Errorf("after a restart: %+v, %v", e, err)
			}
			if _, err := h.hostile("race", map[string]any{"outside": outside, "seconds": 600}); err != nil {
				t.Errorf("after a restart: %v", err)
			}
		}
		h.ok("remove", "hostile", "--purge")
		h.undisturbed(before)
		if left, err := os.ReadDir(filepath.Join(h.state, "homes", "ann", ".skald", "mcp")); err != nil || len(left) != 1 {
			t.Errorf("what is left: %v, %v", left, err)
		}
		if text, err := os.ReadFile(kept); err != nil || string(text) != "untouched" {
			t.Errorf("outside: %q, %v", text, err)
		}
	})
}
