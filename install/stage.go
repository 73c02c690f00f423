package install

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

const downloads = 4 // files of one install in flight

// What lies in <staging>/<id> during a change.
func (i *Installer) staging(id string) string { return filepath.Join(i.paths.Staging(), id) }
func (i *Installer) fresh(id string) string   { return filepath.Join(i.staging(id), "new") } // what comes; after a swap, what went
func (i *Installer) parked(id string) string  { return filepath.Join(i.staging(id), "old") } // see swapByTwo
func (i *Installer) removed(id string) string { return filepath.Join(i.staging(id), "removed") }

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
	a := &assembly{root: root, feed: i.feed, offer: offer, progress: p}
	a.room.Store(i.room)
	if rel.Files, err = a.files(ctx); err != nil {
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
	if err := a.write(manifest.Receipt, 0o644, func(f *os.File) error { _, err := f.Write(text); return err }); err != nil {
		return receipt{}, err
	}
	i.reached("receipt")
	return rec, a.syncDirs()
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
