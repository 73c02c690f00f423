package deps

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"majordomo/configs"
	"majordomo/configs/manifest"
)

// built puts a finished tree for p on the disk, as if it had been built earlier, so that no sandbox is needed.
func built(t testing.TB, b *Builder, p Package) Tree {
	t.Helper()
	pl, err := b.plan(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	dir := b.o.Paths.Tree(pl.key)
	for _, part := range []string{"node_modules/x"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, receiptName), []byte(`{"warnings": ["careful"]}`), 0o444); err != nil {
		t.Fatal(err)
	}
	return Tree{Key: pl.key, Dir: dir, NodeModules: filepath.Join(dir, "node_modules")}
}

func TestTreeOfAnEarlierDaemon(t *testing.T) {
	state := t.TempDir()
	p := connector(t, state, map[string]string{"package.json": `{"dependencies": {"x": "1"}}`, "index.js": ""})
	b := New(Options{Paths: configs.Paths{State: state}})
	want := built(t, b, p)
	got, err := b.Ensure(t.Context(), p, nil)
	if err != nil || got.Key != want.Key || got.Dir != want.Dir || got.NodeModules != want.NodeModules || got.PyDeps != "" {
		t.Fatalf("got %+v, %v, want %+v", got, err, want)
	}
	if len(got.Warnings) != 1 || got.Warnings[0] != "careful" {
		t.Errorf("the warnings of the build are lost: %q", got.Warnings)
	}
}

// What was found is believed only as long as nothing it rests on has changed.
func TestUnchanged(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, p *Package, tree Tree)
		want   bool
	}{
		{"nothing", func(*testing.T, *Package, Tree) {}, true},
		{"other bytes of the same length", func(t *testing.T, p *Package, _ Tree) {
			write(t, filepath.Join(p.Dir, "index.js"), "2")
		}, false},
		{"a file replaced by its like", func(t *testing.T, p *Package, _ Tree) {
			write(t, filepath.Join(p.Dir, "new"), "1")
			if err := os.Rename(filepath.Join(p.Dir, "new"), filepath.Join(p.Dir, "index.js")); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"a mode", func(t *testing.T, p *Package, _ Tree) {
			if err := os.Chmod(filepath.Join(p.Dir, "index.js"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"one more file", func(t *testing.T, p *Package, _ Tree) {
			write(t, filepath.Join(p.Dir, "more.js"), "")
			p.Files = append(p.Files, manifest.File{Path: "more.js"})
		}, false},
		{"the tree is gone", func(t *testing.T, _ *Package, tree Tree) {
			if err := os.RemoveAll(tree.Dir); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"node_modules is gone", func(t *testing.T, _ *Package, tree Tree) {
			if err := os.RemoveAll(tree.NodeModules); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			state := t.TempDir()
			p := connector(t, state, map[string]string{"package.json": `{"dependencies": {"x": "1"}}`, "index.js": "1"})
			b := New(Options{Paths: configs.Paths{State: state}})
			built(t, b, p)
			tree, err := b.Ensure(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			c.change(t, &p, tree)
			if _, got := b.unchanged(t.Context(), p); got != c.want {
				t.Errorf("counts as unchanged: %v", got)
			}
		})
	}
}

// The check before each start of an unchanged connector: at most 200 µs for 20 files, and no process started.
func BenchmarkUnchanged(b *testing.B) {
	state := b.TempDir()
	builder := New(Options{Paths: configs.Paths{State: state}})
	p := Package{ID: "demo", Dir: filepath.Join(state, "connectors/demo")}
	for i := range 20 {
		name := "file" + strconv.Itoa(i)
		if i == 0 {
			name = "package.json"
		}
		p.Files = append(p.Files, manifest.File{Path: name})
		if err := os.MkdirAll(p.Dir, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.Dir, name), []byte(`{"dependencies": {"x": "1"}}`), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	built(b, builder, p)
	for b.Loop() {
		if _, err := builder.Ensure(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}
