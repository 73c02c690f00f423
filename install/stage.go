package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

const downloads = 4 // files of one install in flight

// What lies in <staging>/<id> during a change.
func (i *Installer) staging(id string) string { return filepath.Join(i.paths.Staging(), id) }
func (i *Installer) fresh(id string) string   { return filepath.Join(i.staging(id), "new") } // what comes; after a swap, what went
func (i *Installer) parked(id string) string  { return filepath.Join(i.staging(id), "old") } // see swapByTwo
func (i *Installer) doomed(id string) string  { return filepath.Join(i.staging(id), "removed") }

// stage puts the whole package, verified and synced, into fresh(id).
func (i *Installer) stage(ctx context.Context, offer feed.Offer, p *progress) (receipt, error) {
	rel := offer.Release
	if err := os.MkdirAll(i.fresh(rel.ID), 0o700); err != nil {
		return receipt{}, err
	}
	root, err := os.OpenRoot(i.fresh(rel.ID))
	if err != nil {
		return receipt{}, err
	}
	defer root.Close()
	s := &stage{root: root, feed: i.feed, offer: offer, progress: p}
	s.room.Store(i.room)
	if rel.Files, err = s.files(ctx); err != nil {
		return receipt{}, err
	}
	i.reached("downloaded")
	rec := receipt{
		Format: receiptFormat, Release: rel, Digest: FilesDigest(rel.Files),
		Feed: i.feed.Base(), InstalledAt: i.now(rel.ID),
	}
	text, err := rec.text()
	if err != nil {
		return receipt{}, err
	}
	if err := s.write(manifest.Receipt, 0o644, func(f *os.File) error { _, err := f.Write(text); return err }); err != nil {
		return receipt{}, err
	}
	i.reached("receipt")
	return rec, s.syncDirs()
}

// now is the time, or a moment after the receipt of what will be replaced, if
// the clock was set back since.
func (i *Installer) now(id string) time.Time {
	now := time.Now().UTC()
	if here, err := readReceipt(i.paths.Connector(id), id); err == nil && !now.After(here.InstalledAt) {
		return here.InstalledAt.Add(1)
	}
	return now
}

// stage is one package being assembled below root. Every name in it passed
// manifest.CheckPaths; root holds even if that were wrong.
type stage struct {
	root     *os.Root
	feed     *feed.Feed
	offer    feed.Offer
	progress *progress
	room     atomic.Int64 // of bytes that may still come
}

// files brings every file and returns them with the sizes found.
func (s *stage) files(ctx context.Context) ([]manifest.File, error) {
	files := slices.Clone(s.offer.Release.Files)
	s.progress.start(files)
	for _, dir := range s.dirs() {
		if err := s.root.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(downloads)
	for n := range files {
		group.Go(func() error {
			size, err := s.file(ctx, files[n])
			files[n].Size = size
			return err
		})
	}
	return files, group.Wait()
}

// file brings one file. It is 0755 when it begins like a script.
func (s *stage) file(ctx context.Context, file manifest.File) (size int64, err error) {
	var t *transfer
	err = s.write(file.Path, 0o644, func(f *os.File) error {
		t = s.progress.transfer(file, f)
		if err := s.fill(ctx, file, bounded{t, &s.room}); err != nil {
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
		s.progress.finished(t, file.Path)
	}
	return size, err
}

// fill writes the file's bytes. The manifest comes from the bytes the plan was
// made of, so that no second answer of the server can differ from it.
func (s *stage) fill(ctx context.Context, file manifest.File, w io.Writer) error {
	if file.Path == manifest.Name {
		_, err := w.Write(s.offer.Manifest)
		return err
	}
	return s.feed.Download(ctx, s.offer.Release, file, w)
}

// write makes one file of that mode, whatever the umask, and syncs it.
func (s *stage) write(name string, mode os.FileMode, fill func(*os.File) error) error {
	f, err := s.root.OpenFile(filepath.FromSlash(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
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

// bounded writes while there is room: what a feed declares may be less than what comes.
type bounded struct {
	w    io.Writer
	room *atomic.Int64
}

func (b bounded) Write(p []byte) (int, error) {
	if b.room.Add(-int64(len(p))) < 0 {
		return 0, errTooMuch
	}
	return b.w.Write(p)
}

var errTooMuch = &tooMuch{}

// tooMuch refuses a package that is larger than it says.
type tooMuch struct{}

func (*tooMuch) Error() string {
	return fmt.Sprintf("its files are more than the limit of %d bytes together", manifest.MaxPackage)
}

func (*tooMuch) Refused() bool { return true }

// dirs are the package's directories, parents first, with its own as ".".
func (s *stage) dirs() []string {
	dirs := []string{"."}
	for _, f := range s.offer.Release.Files {
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// syncDirs makes the names durable and the modes independent of the umask.
func (s *stage) syncDirs() error {
	for _, dir := range s.dirs() {
		d, err := s.root.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Chmod(0o755), d.Sync(), d.Close()); err != nil {
			return fmt.Errorf("cannot sync %s: %w", dir, err)
		}
	}
	return nil
}

// explainMismatch recognises the honest accident of changed line endings.
func explainMismatch(f *os.File, err error) error {
	var mismatch *digest.MismatchError
	if !errors.As(err, &mismatch) {
		return err
	}
	text, readErr := io.ReadAll(io.NewSectionReader(f, 0, manifest.MaxFile))
	if readErr == nil {
		mismatch.LineEndings = digest.Of(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) == mismatch.Want
	}
	return err
}
