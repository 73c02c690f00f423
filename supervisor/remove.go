package supervisor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/install"
	"majordomo/supervisor/activations"
)

// Removal asks for a connector to be taken away.
type Removal struct {
	Connector string
	Take      func(context.Context) error // takes the package away
	Purge     bool                        // also what it kept for its members, and their logs of it
}

// Removed is what became of what a connector left behind.
type Removed struct {
	Kept   []Data          // what it kept for its members, still there
	Purged []Data          // or gone
	Freed  []deps.Leftover // dependencies and downloads that nobody needed any more
}

// Data is what a connector keeps for one member.
type Data struct{ Member, Path string }

// Remove deactivates a connector for everybody, has its package taken away, and
// clears away the dependencies that only it needed. Whoever activates it
// meanwhile has it deactivated too, or is told that it is not installed.
func (s *Supervisor) Remove(ctx context.Context, r Removal) (Removed, error) {
	ctx = context.WithoutCancel(ctx) // as Deactivate
	done, err := s.updates.Lock(ctx, key{connector: r.Connector})
	if err != nil {
		return Removed{}, err
	}
	defer done()
	if err := s.deactivateAll(ctx, r.Connector); err != nil {
		return Removed{}, err
	}
	unlock, err := s.edits.Lock(ctx, key{connector: r.Connector})
	if err != nil {
		return Removed{}, err
	}
	err = r.Take(ctx)
	unlock()
	if err != nil {
		return Removed{}, err
	}
	if err := s.deactivateAll(ctx, r.Connector); err != nil {
		return Removed{}, err
	}
	return s.clear(ctx, r)
}

// Purge removes what a connector kept that is not installed any more. It is a
// NotFound where that is nothing, and without really where it was not asked for.
func (s *Supervisor) Purge(ctx context.Context, connector string, really bool) (Removed, error) {
	missing := &NotFound{Kind: "connector", Name: connector, Hint: "it is not installed, and it kept nothing for anybody"}
	if err := manifest.CheckID(connector); err != nil {
		return Removed{}, missing
	}
	ctx = context.WithoutCancel(ctx) // as Deactivate
	done, err := s.updates.Lock(ctx, key{connector: connector})
	if err != nil {
		return Removed{}, err
	}
	defer done()
	if taken, err := s.nameTaken(ctx, connector); taken || err != nil {
		return Removed{}, cmp.Or(err, error(missing))
	}
	kept, err := s.data(ctx, connector)
	switch {
	case err != nil:
		return Removed{}, err
	case len(kept) == 0:
		return Removed{}, missing
	case !really:
		var places []string
		for _, d := range kept {
			places = append(places, fmt.Sprintf("for %s in %s", d.Member, d.Path))
		}
		missing.Hint = "it is not installed any more; --purge removes what it kept: " + strings.Join(places, ", ")
		return Removed{}, missing
	}
	return s.clear(ctx, Removal{Connector: connector, Purge: true})
}

// nameTaken reports whether what is kept under the connector's name may be that
// of one which is installed.
func (s *Supervisor) nameTaken(ctx context.Context, connector string) (bool, error) {
	all, err := s.o.Packages.Everything(ctx)
	return slices.ContainsFunc(all, func(p install.Package) bool {
		return activations.NameOf(p.Release.ID) == activations.NameOf(connector)
	}), err
}

// clear sees to what is left when package and activations are gone.
func (s *Supervisor) clear(ctx context.Context, r Removal) (Removed, error) {
	var out Removed
	unused, err := s.Unused(ctx)
	for _, l := range unused {
		if l.Connector == r.Connector {
			err = errors.Join(err, s.o.Trees.Discard(l))
			out.Freed = append(out.Freed, l)
		}
	}
	data, err2 := s.data(ctx, r.Connector)
	err = errors.Join(err, err2)
	if !r.Purge {
		out.Kept = data
		return out, err
	}
	out.Purged = data
	for _, d := range data {
		err = errors.Join(err, deps.Remove(d.Path)) // it may be closed even to its owner
	}
	return out, errors.Join(err, s.purgeLogs(ctx, r.Connector))
}

// data finds what a connector keeps, also for members who have deactivated it.
func (s *Supervisor) data(ctx context.Context, connector string) ([]Data, error) {
	all, err := s.members.List(ctx)
	var found []Data
	for _, m := range all {
		dir := s.o.Paths.ConnectorDir(m.Name, activations.NameOf(connector))
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			found = append(found, Data{m.Name, dir})
		}
	}
	return found, err
}

func (s *Supervisor) purgeLogs(ctx context.Context, connector string) error {
	all, err := s.members.List(ctx)
	for _, m := range all {
		log := s.o.Paths.Log(m.Name, activations.NameOf(connector))
		for _, file := range []string{log, log + ".1"} {
			if gone := os.Remove(file); !errors.Is(gone, os.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
	}
	return err
}

// Unused lists the dependencies and downloads that no package leads to and no
// instance was started with.
func (s *Supervisor) Unused(ctx context.Context) ([]deps.Leftover, error) {
	packages, err := s.o.Packages.Everything(ctx)
	if err != nil {
		return nil, err
	}
	var u deps.Use
	for _, p := range packages {
		u.Packages = append(u.Packages, deps.Package{ID: p.Release.ID, Dir: p.Dir, Files: p.Release.Files})
	}
	for _, dev := range s.allDevVersions() {
		u.Packages = append(u.Packages, dev.needs())
	}
	for _, i := range s.all() {
		if key, _ := i.tree.Load().(string); key != "" {
			u.Keys = append(u.Keys, key)
		}
	}
	slices.Sort(u.Keys)
	return s.o.Trees.Unused(ctx, u)
}

func (s *Supervisor) deactivateAll(ctx context.Context, connector string) error {
	all, err := s.activations.List(ctx)
	if err != nil {
		return err
	}
	for _, act := range all {
		if act.Connector != connector {
			continue
		}
		var gone *NotFound
		if err := s.Deactivate(ctx, act.Member, connector); err != nil && !errors.As(err, &gone) {
			return err
		}
	}
	return nil
}
