package install

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Everything returns the installed packages, and those kept for Rollback, whose
// Dir is where they are kept.
func (i *Installer) Everything(ctx context.Context) ([]Package, error) {
	all, err := i.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		id := p.Release.ID
		if rec, err := readReceipt(i.paths.Previous(id), id); err == nil {
			kept := rec.pack(i.paths)
			kept.Dir = i.paths.Previous(id)
			all = append(all, kept)
		}
	}
	return all, nil
}

// Leftover is a folder among the packages that is none: it has no receipt that
// could be used, so nothing runs from it.
type Leftover struct {
	ID    string // the folder's name
	Path  string
	Bytes int64
}

// Leftovers lists such folders, by name.
func (i *Installer) Leftovers() ([]Leftover, error) {
	found, err := names(i.paths.Connectors())
	if err != nil {
		return nil, fmt.Errorf("cannot look for leftovers: %w", err)
	}
	var left []Leftover
	for _, id := range found {
		dir := i.paths.Connector(id)
		if _, err := readReceipt(dir, id); err != nil && dir != i.paths.Kept() {
			left = append(left, Leftover{id, dir, size(dir)})
		}
	}
	return left, nil
}

// Discard removes a leftover, unless it has become a package meanwhile.
func (i *Installer) Discard(ctx context.Context, l Leftover) error {
	unlock, err := i.queue.Lock(ctx, l.ID)
	if err != nil {
		return err
	}
	defer unlock()
	if err := i.settle(l.ID); err != nil {
		return err
	}
	if _, err := readReceipt(i.paths.Connector(l.ID), l.ID); err == nil || l.Path == i.paths.Kept() {
		return nil
	}
	defer i.tidy(l.ID)
	return i.moveAway(l.ID)
}

func size(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
