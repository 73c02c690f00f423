package e2e

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A connector that floods what it was given fails itself and nobody else: the daemon keeps its size, the
// log keeps its bound, and the connector beside it is not even slowed to a restart.
func TestMisuse(t *testing.T) {
	h := hostileHouse(t, nil)
	before := h.instanceOf("bob", "notes")
	for tool, args := range map[string]map[string]any{
		"flood_stdout":  {"bytes_": 64 << 20}, // more than a message may have
		"garble_stdout": {"lines": 200_000},
		"flood_stderr":  {"bytes_": 128 << 20},
	} {
		if _, err := h.hostile(tool, args); err != nil {
			t.Logf("%s: %v", tool, err)
		}
		h.wait("the connector to answer again after "+tool, func() bool {
			_, err := h.inside("limits-core.py", map[string]string{})
			return err == nil
		})
		h.undisturbed(before)
		t.Logf("after %s the daemon has had %d KiB", tool, h.peak())
	}
	if peak := h.peak(); peak > 256<<10 {
		t.Errorf("the daemon grew to %d KiB", peak)
	}
	if size := treeSize(t, filepath.Join(h.state, "logs")); size > 32<<20 {
		t.Errorf("the logs grew to %d bytes", size)
	}
}

// peak is the most memory that the daemon has had, in KiB.
func (h *house) peak() (kib int) {
	h.t.Helper()
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", h.daemon.Process.Pid))
	if err != nil {
		h.t.Fatal(err)
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			fmt.Sscan(value, &kib)
		}
	}
	return kib
}

func treeSize(t *testing.T, dir string) (size int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// A connector that fills its own directory is stopped, and said why. What it wrote is its member's to judge.
func TestFullDirectory(t *testing.T) {
	for name, args := range map[string]map[string]any{
		"bytes": {"files": 1, "bytes_": 2 << 30}, // allocated, not written
		"files": {"files": 3000, "bytes_": 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := hostileHouse(t, nil)
			before := h.instanceOf("bob", "notes")
			if _, err := h.hostile("fill_directory", args); err != nil {
				t.Logf("it was stopped in the middle: %v", err)
			}
			var after instance
			h.wait("the connector to be stopped", func() bool {
				after = h.instanceOf("ann", "hostile")
				return after.State != "ready"
			})
			if !strings.Contains(after.LastError, "disk") && !strings.Contains(after.LastError, "director") {
				t.Errorf("it is %s: %q", after.State, after.LastError)
			}
			h.undisturbed(before)
		})
	}
}
