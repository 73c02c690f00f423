package deps

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"majordomo/configs"
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
			tree := realLab(t, c.tool).must(example(t, c.connector))
			if _, err := os.Stat(c.file(tree)); err != nil || len(tree.Warnings) > 0 {
				t.Errorf("%v, warnings %q", err, tree.Warnings)
			}
			checkReadOnly(t, tree.Dir)
		})
	}
}

// realLab is a lab with this machine's own configuration, for a test that is skipped where its registry does not answer.
func realLab(t *testing.T, tool string) *lab {
	t.Helper()
	l := newLab(t, tool, Options{}, os.Environ()...)
	if err := l.builder.Reachable(t.Context())[tool]; err != nil {
		t.Skipf("%s skipped: %v", t.Name(), err)
	}
	return l
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
