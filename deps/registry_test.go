package deps

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"majordomo/configs"
	"majordomo/sandbox"
)

// The connectors of the example feed, from the registries that this machine is configured for; skipped, by name, where one
// does not answer from outside the sandbox.
func TestRealRegistries(t *testing.T) {
	for _, c := range []struct {
		connector, tool string
		file            func(Tree) string // one that must be there
	}{
		{"everything", "npm", func(tree Tree) string {
			return filepath.Join(tree.NodeModules, "@modelcontextprotocol/server-everything/dist/index.js")
		}},
		{"time", "pip", func(tree Tree) string { return filepath.Join(tree.PyDeps, "mcp_server_time/server.py") }},
	} {
		t.Run(c.connector, func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			host, err := sandbox.New(sandbox.Options{StateDir: state})
			if err != nil {
				t.Fatal(err)
			}
			defer host.Close()
			defer Remove(configs.Paths{State: state}.Deps())
			b := New(Options{Paths: configs.Paths{State: state}, Sandbox: host})
			if err := b.Reachable(t.Context())[c.tool]; err != nil {
				t.Skipf("%s is skipped: %v", c.connector, err)
			}
			tree, err := b.Ensure(t.Context(), connector(t, state, example(t, c.connector)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(c.file(tree)); err != nil || len(tree.Warnings) > 0 {
				t.Errorf("%v, warnings %q", err, tree.Warnings)
			}
			checkReadOnly(t, tree.Dir)
		})
	}
}

// example reads a connector of the example feed.
func example(t *testing.T, id string) map[string]string {
	t.Helper()
	files := map[string]string{}
	feed := configs.ExampleFeed()
	err := fs.WalkDir(feed, id, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(feed, path)
		rel, _ := filepath.Rel(id, path)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
