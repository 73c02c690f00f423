package deps

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"go.uber.org/zap"
)

const keptTrees = 2 // of one connector: for the installed package and for the one it replaced

// prune removes what nobody will ask for: the trees and download caches of connectors that are not installed any more, and of each
// that is, all trees but the last ones. An older one that is asked for after all, since a tool or a policy was changed back, is built
// again.
func (b *Builder) prune(ctx context.Context) error {
	trees, err := b.trees()
	if err != nil {
		return err
	}
	var errs []error
	kept := map[string]int{}
	for _, t := range trees {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if b.installed(t.Connector) && kept[t.Connector] < keptTrees {
			kept[t.Connector]++
			continue
		}
		b.o.Log.Info("removing dependencies that nobody needs", zap.String("connector", t.Connector), zap.String("tree", t.dir))
		errs = append(errs, discard(t.dir))
	}
	caches, err := filepath.Glob(b.o.Paths.DepsCache("*"))
	for _, dir := range caches {
		if !b.installed(filepath.Base(dir)) {
			errs = append(errs, os.RemoveAll(dir))
		}
	}
	return errors.Join(append(errs, err)...)
}

// discard removes a tree under another name: what is left of one half removed must not be taken for whole.
func discard(dir string) error {
	if err := os.Rename(dir, dir+partialSuffix); err != nil {
		return err
	}
	return Remove(dir + partialSuffix)
}

func (b *Builder) installed(connector string) bool {
	_, err := os.Lstat(b.o.Paths.Connector(connector))
	return !errors.Is(err, os.ErrNotExist)
}

// finished is a tree and what it says of itself.
type finished struct {
	receipt
	dir string
}

// trees lists the finished trees, the one built last first.
func (b *Builder) trees() (all []finished, err error) {
	receipts, err := filepath.Glob(filepath.Join(b.o.Paths.Deps(), "*", receiptName))
	for _, file := range receipts {
		dir := filepath.Dir(file)
		if r, ok := readReceipt(dir); ok && filepath.Ext(dir) != partialSuffix {
			all = append(all, finished{r, dir})
		}
	}
	slices.SortFunc(all, func(a, b finished) int { return b.Built.Compare(a.Built) })
	return all, err
}
