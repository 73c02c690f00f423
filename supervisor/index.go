package supervisor

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"go.uber.org/zap"
)

// index makes the member's catalogue anew from what instances listed last.
func (s *Supervisor) index(member string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var shelves []shelf
	for k, i := range s.instances {
		if k.member == member && !i.stopped.Load() {
			shelves = append(shelves, shelf{k.connector, i, *i.tools.Load()})
		}
	}
	slices.SortFunc(shelves, func(a, b shelf) int {
		return cmp.Or(cmp.Compare(a.in.number.Load(), b.in.number.Load()), cmp.Compare(a.connector, b.connector))
	})
	old, c := s.catalogues[member], newCatalogue(shelves)
	s.catalogues[member] = c
	if changed := s.changes[member]; changed != nil && (old == nil || !slices.EqualFunc(old.tools, c.tools, sameTool)) {
		close(changed)
		delete(s.changes, member)
	}
}

// sameTool reports whether agents would see no difference.
func sameTool(a, b Tool) bool {
	return a.Name == b.Name && a.Title == b.Title && bytes.Equal(a.Raw, b.Raw)
}

// Changed returns a channel that is closed when the member's tools change.
func (s *Supervisor) Changed(member string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.changes[member]
	if c == nil {
		c = make(chan struct{})
		s.changes[member] = c
	}
	return c
}

// listed takes over what an instance listed: agents see it, and it is remembered.
func (s *Supervisor) listed(k key, number int64, tools []listed) {
	s.index(k.member)
	data, err := encodeList(tools)
	if err == nil {
		err = s.activations.SetTools(context.Background(), number, data)
	}
	if err != nil {
		s.o.Log.Warn("cannot remember a tool list", zap.String("connector", k.connector), zap.Error(err))
	}
}

// Tools lists the member's tools by their last known listing, in the order of
// activation. login_status and logout are never among them.
func (s *Supervisor) Tools(ctx context.Context, member string) ([]Tool, error) {
	c, err := s.catalogue(ctx, member)
	if err != nil {
		return nil, err
	}
	return slices.Clone(c.tools), nil
}

func (s *Supervisor) catalogue(ctx context.Context, member string) (*catalogue, error) {
	s.mu.RLock()
	c := s.catalogues[member]
	s.mu.RUnlock()
	if c != nil {
		return c, nil
	}
	return &catalogue{}, s.exists(ctx, member)
}
