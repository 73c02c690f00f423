package supervisor

import (
	"context"
	"slices"

	"majordomo/deps"
)

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
