package supervisor

import (
	"context"
	"errors"

	"majordomo/deps"
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
