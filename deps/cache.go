package deps

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"majordomo/sandbox"
)

// cache is the download cache of this connector for one tool. Steps that fetch write it; no foreign code ever sees it.
func (j *job) cache(tool string) (sandbox.Mount, error) {
	dir := filepath.Join(j.o.Paths.DepsCache(j.plan.pkg.ID), tool)
	mount := sandbox.Mount{Source: dir, Target: filepath.Join(cacheInside, tool), Writable: true}
	var st unix.Stat_t
	if unix.Lstat(dir, &st) == nil && asRoot() && int(st.Uid) != j.uid {
		if err := hand(dir, j.uid); err != nil {
			return mount, err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return mount, err
	}
	if asRoot() {
		return mount, os.Lchown(dir, j.uid, j.uid)
	}
	return mount, nil
}
