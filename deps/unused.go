package deps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/sys/unix"

	"majordomo/deps/declared"
)

// Use is what has to stay.
type Use struct {
	Packages []Package // installed, and kept to go back to
	Keys     []string  // of trees that something runs from, whatever is installed now
}

// Kinds of Leftover.
const (
	LeftTree  = "tree"
	LeftCache = "cache"
)

// Leftover is something in the state directory that nothing needs any more.
type Leftover struct {
	Kind      string `json:"kind"`
	Connector string `json:"connector"` // whose it was; "" where that cannot be told
	Path      string `json:"path"`
	Bytes     int64  `json:"bytes"` // on disk
}

var keyName = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Unused lists the trees that no package leads to and nothing runs from, and the download caches of connectors that are
// not among the packages. Where it cannot be told which tree a package leads to, because a tool it needs is missing, every
// tree of that connector counts as used. A build under way is never among them.
func (b *Builder) Unused(ctx context.Context, u Use) ([]Leftover, error) {
	used, unsure := b.inUse(ctx, u)
	entries, err := list(b.o.Paths.Deps())
	if err != nil {
		return nil, err
	}
	var unused []Leftover
	for _, key := range entries {
		if !keyName.MatchString(key) || used[key] {
			continue
		}
		dir := b.o.Paths.Tree(key)
		connector := builtFor(dir)
		if !unsure[connector] {
			unused = append(unused, Leftover{LeftTree, connector, dir, diskUse(dir)})
		}
	}
	caches, err := list(b.o.Paths.DepsCache(""))
	for _, id := range caches {
		if dir := b.o.Paths.DepsCache(id); !slices.ContainsFunc(u.Packages, func(p Package) bool { return p.ID == id }) {
			unused = append(unused, Leftover{LeftCache, id, dir, diskUse(dir)})
		}
	}
	return unused, err
}

// inUse says which keys are needed, and of which connectors that is not known.
func (b *Builder) inUse(ctx context.Context, u Use) (used, unsure map[string]bool) {
	used, unsure = map[string]bool{}, map[string]bool{}
	for _, key := range u.Keys {
		used[key] = true
	}
	for _, p := range u.Packages {
		if !declared.Any(p.Files) {
			continue
		}
		pl, err := b.plan(ctx, p)
		if err != nil {
			unsure[p.ID], unsure[""] = true, true
			continue
		}
		used[pl.key] = true
	}
	return used, unsure
}

// Discard removes what Unused listed; a tree that is being built at this moment it does not.
func (b *Builder) Discard(l Leftover) error {
	if l.Kind != LeftTree {
		return Remove(l.Path)
	}
	lock, err := tryLock(l.Path + lockSuffix)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return fmt.Errorf("cannot remove %s: it is being built", l.Path)
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	defer os.Remove(lock.Name())
	// Half a tree must not lie under a key; Recover removes the rest of this one.
	partial := l.Path + partialSuffix
	if err := errors.Join(Remove(partial), os.Rename(l.Path, partial)); err != nil {
		return err
	}
	return Remove(partial)
}

func builtFor(dir string) string {
	var r receipt
	if data, err := os.ReadFile(filepath.Join(dir, receiptName)); err != nil || json.Unmarshal(data, &r) != nil {
		return ""
	}
	return r.Connector
}

func list(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all, nil
}

// diskUse adds up what lies below dir, each file once; what goes away meanwhile does not count.
func diskUse(dir string) (bytes int64) {
	type inode struct{ dev, ino uint64 }
	seen := map[inode]bool{}
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		var st unix.Stat_t
		if unix.Lstat(path, &st) != nil {
			return nil
		}
		if file := (inode{uint64(st.Dev), st.Ino}); !seen[file] {
			seen[file] = true
			bytes += st.Blocks * 512
		}
		return nil
	})
	return bytes
}
