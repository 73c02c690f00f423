package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// assembly is one package being put together below root. Every name in it passed
// manifest.CheckPaths; root holds even if that were wrong.
type assembly struct {
	root     *os.Root
	feed     *feed.Feed
	offer    feed.Offer
	progress *progress
	room     atomic.Int64 // of bytes that may still come
}

// files brings every file and returns them with the sizes found.
func (a *assembly) files(ctx context.Context) ([]manifest.File, error) {
	files := slices.Clone(a.offer.Release.Files)
	a.progress.start(files)
	for _, dir := range a.dirs() {
		if err := a.root.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(downloads)
	for n := range files {
		group.Go(func() error {
			size, err := a.file(ctx, files[n])
			files[n].Size = size
			return err
		})
	}
	return files, group.Wait()
}

// file brings one file. It is 0755 when it begins like a script.
func (a *assembly) file(ctx context.Context, file manifest.File) (size int64, err error) {
	var t *transfer
	err = a.write(file.Path, 0o644, func(f *os.File) error {
		t = a.progress.transfer(file, f)
		if err := a.fill(ctx, file, bounded{t, &a.room}); err != nil {
			return explainMismatch(f, err)
		}
		var head [2]byte
		if n, _ := f.ReadAt(head[:], 0); n == 2 && string(head[:]) == "#!" {
			if err := f.Chmod(0o755); err != nil {
				return err
			}
		}
		info, err := f.Stat()
		if err == nil {
			size = info.Size()
		}
		return err
	})
	if err == nil {
		a.progress.finished(t, file.Path)
	}
	return size, err
}

// fill writes the file's bytes. The manifest comes from the bytes the plan was
// made of, so that no second answer of the server can differ from it.
func (a *assembly) fill(ctx context.Context, file manifest.File, w io.Writer) error {
	if file.Path == manifest.Name {
		_, err := w.Write(a.offer.Manifest)
		return err
	}
	return a.feed.Download(ctx, a.offer.Release, file, w)
}

// write makes one file of that mode, whatever the umask, and syncs it.
func (a *assembly) write(name string, mode os.FileMode, fill func(*os.File) error) error {
	f, err := a.root.OpenFile(filepath.FromSlash(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := fill(f); err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// dirs are the package's directories, parents first, with its own as ".".
func (a *assembly) dirs() []string {
	dirs := []string{"."}
	for _, f := range a.offer.Release.Files {
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// syncDirs makes the names durable and the modes independent of the umask.
func (a *assembly) syncDirs() error {
	for _, dir := range a.dirs() {
		d, err := a.root.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Chmod(0o755), d.Sync(), d.Close()); err != nil {
			return fmt.Errorf("cannot sync %s: %w", dir, err)
		}
	}
	return nil
}
