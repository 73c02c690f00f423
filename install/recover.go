package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"go.uber.org/zap"

	"majordomo/configs/manifest"
)

// Recover ends what an earlier process left half done: it settles interrupted
// swaps, clears staging and makes the database agree with the receipts. A
// folder without a usable receipt is logged and does not count as installed.
func (i *Installer) Recover(ctx context.Context) error {
	staged, err := names(i.paths.Staging())
	if err != nil {
		return fmt.Errorf("cannot recover installs: %w", err)
	}
	kept, err := names(i.paths.Kept())
	if err != nil {
		return fmt.Errorf("cannot recover installs: %w", err)
	}
	for _, id := range slices.Concat(staged, kept) {
		if err := i.settle(id); err != nil {
			return fmt.Errorf("cannot recover the install of %s: %w", id, err)
		}
	}
	installed, err := names(i.paths.Connectors())
	if err != nil {
		return fmt.Errorf("cannot recover installs: %w", err)
	}
	rows, err := i.catalog.All(ctx)
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, id := range slices.AppendSeq(installed, maps.Keys(rows)) {
		if err := i.projectLocked(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// project makes the row of id follow its receipt. A change is done when it is
// in place: if the row cannot follow now, the next reader tries again.
func (i *Installer) project(ctx context.Context, id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stale[id] = true
	i.catchUpLocked(context.WithoutCancel(ctx))
	i.endStaleTrial(context.WithoutCancel(ctx), id)
	i.reached("projected")
}

// catchUp repeats projections that failed. Without any it costs nothing.
func (i *Installer) catchUp(ctx context.Context) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.catchUpLocked(ctx)
}

func (i *Installer) catchUpLocked(ctx context.Context) {
	for id := range i.stale {
		if err := i.projectLocked(ctx, id); err != nil {
			i.log.Warn("the database does not follow a package", zap.String("connector", id), zap.Error(err))
			continue
		}
		delete(i.stale, id)
	}
}

// projectLocked holds mu over its I/O on purpose: two projections side by side
// could leave the row of the earlier one.
func (i *Installer) projectLocked(ctx context.Context, id string) error {
	text, err := os.ReadFile(filepath.Join(i.paths.Connector(id), manifest.Receipt))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return i.catalog.Delete(ctx, id)
	}
	var rec receipt
	if err == nil {
		rec, err = parseReceipt(id, text)
	}
	if err != nil {
		i.log.Error("a package cannot be used; install it again", zap.String("connector", id), zap.Error(err))
		return i.catalog.Delete(ctx, id)
	}
	return i.catalog.Put(ctx, id, rec.Release.Version, text)
}

// names lists a directory; one that is not there is empty.
func names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out, nil
}
