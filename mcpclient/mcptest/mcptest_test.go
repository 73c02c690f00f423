package mcptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// A written connector is a whole folder, whose program takes its mode from the
// file beside it.
func TestWriteConnector(t *testing.T) {
	for _, r := range []Runtime{Python, Node} {
		dir := filepath.Join(t.TempDir(), "c")
		err := WriteConnector(dir, "c", r, "qr 5", func(m map[string]any) { m["version"] = 3 })
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"connector.json", "fragment.json"} {
			var doc struct {
				ID      string
				Version int
				Auth    struct{ Type string }
			}
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || json.Unmarshal(data, &doc) != nil || doc.ID != "c" || doc.Version != 3 || doc.Auth.Type != "qr" {
				t.Errorf("%s: %s, %v", name, data, err)
			}
		}
		entry, _ := r.entry()
		if mode, err := os.ReadFile(filepath.Join(dir, "mode")); err != nil || string(mode) != "qr 5" {
			t.Errorf("mode %q, %v", mode, err)
		}
		if _, err := os.Stat(filepath.Join(dir, entry)); err != nil {
			t.Error(err)
		}
	}
}
