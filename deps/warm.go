package deps

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"majordomo/configs/manifest"
	"majordomo/sandbox/runtimes"
)

// memory remembers, for each package, the state of its files and of its tree when they were last looked at, so that an
// unchanged package is recognised by looking at inodes alone.
type memory struct {
	mu    sync.Mutex
	byDir map[string]warm // by Package.Dir
}

type warm struct {
	files []manifest.File
	state []stamp // of files, in their order
	root  stamp   // of the tree
	tree  Tree
	tools map[string]runtimes.Runtime // by name
}

// stamp changes whenever the file or its inode does.
type stamp struct {
	dev, ino     uint64
	mode         uint32
	size         int64
	mtime, ctime unix.Timespec
}

// stampOf gives the zero stamp for what is not there.
func stampOf(path string) (s stamp) {
	var st unix.Stat_t
	if unix.Lstat(path, &st) == nil {
		s = stamp{uint64(st.Dev), st.Ino, st.Mode, st.Size, st.Mtim, st.Ctim}
	}
	return s
}

func snapshot(p Package) []stamp {
	all := make([]stamp, len(p.Files))
	for i, f := range p.Files {
		all[i] = stampOf(filepath.Join(p.Dir, f.Path))
	}
	return all
}

// unchanged returns what Ensure returned last time, if nothing it depends on has changed since.
func (b *Builder) unchanged(ctx context.Context, p Package) (Tree, bool) {
	b.warm.mu.Lock()
	w, ok := b.warm.byDir[p.Dir]
	b.warm.mu.Unlock()
	if !ok || !slices.EqualFunc(w.files, p.Files, samePath) || !slices.Equal(w.state, snapshot(p)) {
		return Tree{}, false
	}
	if w.tree.Dir != "" && stampOf(w.tree.Dir) != w.root {
		return Tree{}, false
	}
	for name, then := range w.tools {
		now, err := b.o.Runtimes.Find(ctx, name)
		if err != nil || now.Path != then.Path || now.Version != then.Version || now.ABI != then.ABI {
			return Tree{}, false
		}
	}
	return w.tree, true
}

func samePath(a, b manifest.File) bool { return a.Path == b.Path }

// remember stores what was found for the package, as it was before anything of it was read.
func (m *memory) remember(p Package, before []stamp, pl *plan, tree Tree) {
	w := warm{files: p.Files, state: before, tree: tree, tools: map[string]runtimes.Runtime{}}
	if tree.Dir != "" {
		w.root = stampOf(tree.Dir)
	}
	for _, tool := range []runtimes.Runtime{pl.node, pl.npm, pl.pip} {
		if tool.Name != "" {
			w.tools[tool.Name] = tool
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byDir == nil {
		m.byDir = map[string]warm{}
	}
	m.byDir[p.Dir] = w
}
