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
	"majordomo/install"
	"majordomo/supervisor/activations"
)

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
