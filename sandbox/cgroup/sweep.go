package cgroup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.uber.org/zap"
)

// Sweep kills and removes every group that an earlier daemon of the same state directory left, and returns how many there were.
// That daemon may have run in another place of the hierarchies, as after a new login: the base group is looked for everywhere, by its
// name. Groups of this Manager are spared. The caller holds the lock of the state directory, and calls it before the first New.
func (m *Manager) Sweep(ctx context.Context) (int, error) {
	swept := map[string]bool{}
	var errs []error
	for _, h := range m.hierarchies() {
		for _, base := range findBases(h.mount, m.base) {
			errs = append(errs, m.sweepBase(ctx, h, base, swept))
			if base != h.base {
				_ = os.Remove(filepath.Join(base, leaf))
				_ = os.Remove(base) // fails when something in it could not be ended
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return len(swept), fmt.Errorf("cannot sweep the control groups of an earlier daemon: %w", err)
	}
	return len(swept), nil
}

func (m *Manager) sweepBase(ctx context.Context, h hierarchy, base string, swept map[string]bool) error {
	entries, err := os.ReadDir(base)
	errs := []error{err}
	for _, e := range entries {
		if !e.IsDir() || e.Name() == leaf || strings.Contains(e.Name(), "-"+m.run+"-") {
			continue
		}
		errs = append(errs, m.sweepGroup(ctx, h, filepath.Join(base, e.Name()), swept))
	}
	return errors.Join(errs...)
}

// sweepGroup ends a group and, first, those in it. A pool is not counted.
func (m *Manager) sweepGroup(ctx context.Context, h hierarchy, dir string, swept map[string]bool) error {
	entries, err := os.ReadDir(dir)
	errs, inner := []error{err}, false
	for _, e := range entries {
		if e.IsDir() {
			inner = true
			errs = append(errs, m.sweepGroup(ctx, h, filepath.Join(dir, e.Name()), swept))
		}
	}
	m.log.Info("ending what an earlier daemon left", zap.String("group", dir))
	if err = h.kill(dir); err == nil {
		err = h.wait(ctx, dir)
	}
	if err == nil {
		err = remove(dir)
	}
	if !inner {
		swept[filepath.Base(dir)] = true
	}
	return errors.Join(append(errs, err)...)
}

// hierarchy is one tree of groups and how to end those in it.
type hierarchy struct {
	mount string
	base  string // this Manager's base group
	kill  func(dir string) error
	wait  func(ctx context.Context, dir string) error
}

// hierarchies lists those in use, the surest killer first.
func (m *Manager) hierarchies() (list []hierarchy) {
	if m.v2 != nil {
		list = append(list, hierarchy{m.v2.own.mount, m.v2.dir(""), killUnified, waitUnified})
	}
	if m.v1 == nil {
		return list
	}
	bases := m.v1.dirs("")
	for _, controller := range killers() {
		if base, ok := bases[controller]; ok {
			list = append(list, hierarchy{m.v1.places[controller].mount, base, killLegacy, waitLegacy})
		}
	}
	return list
}

// findBases lists the groups of that name anywhere in a hierarchy. Groups that vanish meanwhile are somebody else's.
func findBases(mount, name string) (found []string) {
	_ = filepath.WalkDir(mount, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir():
			return nil
		case e.Name() == name:
			found = append(found, path)
			return fs.SkipDir
		}
		return nil
	})
	return found
}
