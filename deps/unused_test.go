package deps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs"
)

func TestUnused(t *testing.T) {
	state := t.TempDir()
	b := New(Options{Paths: configs.Paths{State: state}})
	needs := func(version string) Package {
		return connector(t, state, map[string]string{"package.json": `{"dependencies": {"x": "` + version + `"}}`})
	}
	running := built(t, b, needs("1"))
	old := built(t, b, needs("2"))
	p := needs("3")
	installed := built(t, b, p)
	for _, dir := range []string{b.o.Paths.DepsCache(p.ID), b.o.Paths.DepsCache("gone"), b.o.Paths.Tree(strings.Repeat("a", 64)) + partialSuffix} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(old.Dir, "node_modules/x/big"), strings.Repeat("x", 64<<10))

	use := Use{Packages: []Package{p}, Keys: []string{running.Key}}
	unused, err := b.Unused(t.Context(), use)
	if err != nil || len(unused) != 2 || unused[0].Path != old.Dir || unused[0].Kind != LeftTree || unused[0].Bytes < 64<<10 ||
		unused[1].Path != b.o.Paths.DepsCache("gone") || unused[1].Kind != LeftCache {
		t.Fatalf("%+v, %v", unused, err)
	}
	for _, l := range unused {
		if err := b.Discard(l); err != nil {
			t.Error(err)
		}
	}
	if again, err := b.Unused(t.Context(), use); err != nil || len(again) != 0 {
		t.Errorf("left: %+v, %v", again, err)
	}
	for _, tree := range []Tree{running, installed} {
		if _, err := os.Stat(tree.Dir); err != nil {
			t.Error(err)
		}
	}
	if entries, _ := list(b.o.Paths.Deps()); len(entries) != 4 { // two trees, the caches, and what is being built
		t.Errorf("left: %v", entries)
	}
}

// Without the tool nobody can say which tree is needed, so all of them are.
func TestUnusedWithoutTheTool(t *testing.T) {
	state := t.TempDir()
	b := New(Options{Paths: configs.Paths{State: state}})
	p := connector(t, state, map[string]string{"package.json": `{"dependencies": {"x": "1"}}`})
	built(t, b, p)
	write(t, filepath.Join(p.Dir, "package.json"), `{`)
	if unused, err := b.Unused(t.Context(), Use{Packages: []Package{p}}); err != nil || len(unused) != 0 {
		t.Errorf("%+v, %v", unused, err)
	}
}

// A tree that another daemon is building at this moment is left alone.
func TestDiscardWaitsForNobody(t *testing.T) {
	state := t.TempDir()
	b := New(Options{Paths: configs.Paths{State: state}})
	tree := built(t, b, connector(t, state, map[string]string{"package.json": `{"dependencies": {"x": "1"}}`}))
	lock, err := tryLock(tree.Dir + lockSuffix)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := b.Discard(Leftover{Kind: LeftTree, Path: tree.Dir}); err == nil || !strings.Contains(err.Error(), "it is being built") {
		t.Error(err)
	}
	if _, err := os.Stat(tree.Dir); err != nil {
		t.Error(err)
	}
}
