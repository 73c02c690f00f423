package install

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
)

// Package is a release on this disk, verified.
type Package struct {
	Release     manifest.Release
	Dir         string // <state>/connectors/<id>
	InstalledAt time.Time
	Digest      digest.SHA256 // over path and digest of every file: equal means the same bytes
}

// NotInstalledError says that there is no such package here.
type NotInstalledError struct{ ID string }

func (e *NotInstalledError) Error() string {
	return fmt.Sprintf("cannot find connector %q: it is not installed; `majordomo install %s` does that", e.ID, e.ID)
}

// List returns the installed packages by id. It needs no feed.
func (i *Installer) List(ctx context.Context) ([]Package, error) {
	i.catchUp(ctx)
	rows, err := i.catalog.All(ctx)
	if err != nil {
		return nil, err
	}
	var packages []Package
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		rec, err := parseReceipt(id, rows[id])
		if err != nil {
			return nil, err
		}
		packages = append(packages, rec.pack(i.paths))
	}
	return packages, nil
}

// Package returns one installed package or a NotInstalledError.
func (i *Installer) Package(ctx context.Context, id string) (Package, error) {
	i.catchUp(ctx)
	row, err := i.catalog.Get(ctx, id)
	if err != nil {
		return Package{}, err
	}
	if row == nil {
		return Package{}, &NotInstalledError{ID: id}
	}
	rec, err := parseReceipt(id, row)
	if err != nil {
		return Package{}, err
	}
	return rec.pack(i.paths), nil
}
