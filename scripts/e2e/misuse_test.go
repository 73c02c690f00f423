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
		"flood_stdout":  {"bytes_": 512 << 20},
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
