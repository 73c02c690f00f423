package deps

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// receipt is tree.json in every tree: what people may want to know of it, and the warnings that go with it.
type receipt struct {
	Connector   string    `json:"connector"`
	Built       time.Time `json:"built"`
	Node        string    `json:"node,omitempty"`
	NPM         string    `json:"npm,omitempty"`
	Python      string    `json:"python,omitempty"`
	Pip         string    `json:"pip,omitempty"`
	Warnings    []string  `json:"warnings,omitempty"`
	Fingerprint string    `json:"shape,omitempty"` // as function fingerprint gives it
}

const receiptName = "tree.json"

// parts are the directories a tree may have.
var parts = []string{"node_modules", ".pydeps"}

// open returns the tree that was built for this plan, or false. Whatever lies under a key came there by rename, whole.
func (b *Builder) open(p *plan) (Tree, bool) {
	dir := b.o.Paths.Tree(p.key)
	r, ok := readReceipt(dir)
	if !ok || !b.whole(dir, r) {
		return Tree{}, false
	}
	t := Tree{Key: p.key, Dir: dir, Warnings: r.Warnings}
	if isDir(dir, "node_modules") {
		t.NodeModules = filepath.Join(dir, "node_modules")
	}
	if isDir(dir, ".pydeps") {
		t.PyDeps = filepath.Join(dir, ".pydeps")
	}
	whole := p.wantsNPM() == (t.NodeModules != "") && p.wantsPip() == (t.PyDeps != "")
	return t, whole
}

func readReceipt(dir string) (r receipt, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, receiptName))
	ok = err == nil && json.Unmarshal(data, &r) == nil
	return r, ok
}

// isDir does not follow a link.
func isDir(dir, name string) bool {
	info, err := os.Lstat(filepath.Join(dir, name))
	return err == nil && info.IsDir()
}

// Remove removes a tree, or a directory of trees, read-only as they are: not being root, os.RemoveAll fails on them. No
// build or connector may be at work in it.
func Remove(dir string) error {
	// What cannot be made writable here is named by RemoveAll.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

func (j *job) writeReceipt() error {
	p := j.plan
	sum, err := fingerprint(j.dir)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(receipt{
		Connector: p.pkg.ID, Built: time.Now().UTC().Truncate(time.Second), Warnings: j.warnings, Fingerprint: sum,
		Node: p.node.Version, NPM: p.npm.Version, Python: p.pip.Path, Pip: p.pip.Version,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(j.dir, receiptName), data, 0o444)
}
