package deps

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// seal turns what the build left into a tree. No process of the build is alive; what it wrote is nobody's word: only the
// directories that make up a tree are taken, they become the daemon's and read-only, and what is no file, directory or
// link that stays inside is dropped. The rename is the commit point.
func (j *job) seal(ctx context.Context) error {
	if err := j.checkParts(); err != nil {
		return err
	}
	if err := j.dropRest(); err != nil {
		return err
	}
	s := sealer{root: j.dir}
	if err := filepath.WalkDir(j.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = s.seal(path, d)
		}
		return err
	}); err != nil {
		return err
	}
	if len(s.dropped) > 0 {
		j.warn("left out, because they lead out of the tree or are no files: %s", strings.Join(s.dropped, ", "))
	}
	if err := j.writeReceipt(); err != nil {
		return err
	}
	for _, dir := range slices.Backward(s.dirs) {
		if err := os.Chmod(dir, 0o555); err != nil {
			return err
		}
	}
	return publish(j.dir, j.o.Paths.Tree(j.plan.key))
}

// checkParts makes sure that each tool left what it was asked for. A package all of whose dependencies are optional, or
// meant for other platforms, may have none.
func (j *job) checkParts() error {
	for _, part := range parts {
		wanted := part == "node_modules" && j.plan.wantsNPM() || part == ".pydeps" && j.plan.wantsPip()
		if !wanted || isDir(j.dir, part) {
			continue
		}
		if part == "node_modules" && len(j.plan.root.Dependencies) > 0 {
			return fmt.Errorf("npm said that it succeeded, but left no node_modules")
		}
		j.warn("nothing had to be installed to %s on this platform", part)
		if err := os.Mkdir(filepath.Join(j.dir, part), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// dropRest removes all but the parts: the copied files, temporary ones, and what scripts left beside them.
func (j *job) dropRest() error {
	entries, err := os.ReadDir(j.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !slices.Contains(parts, e.Name()) {
			if err := Remove(filepath.Join(j.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// publish flushes the filesystem that holds the tree, which is much faster than each of its thousands of files, and gives
// the tree its name.
func publish(partial, final string) error {
	dir, err := os.Open(partial)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := unix.Syncfs(int(dir.Fd())); err != nil {
		return err
	}
	if err := os.Rename(partial, final); err != nil {
		return err
	}
	parent, err := os.Open(filepath.Dir(final))
	if err != nil {
		return err
	}
	defer parent.Close()
	return parent.Sync()
}
