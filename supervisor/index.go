package supervisor

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"go.uber.org/zap"

	"majordomo/supervisor/activations"
)

// index makes the member's catalogue anew from what instances listed last.
func (s *Supervisor) index(member string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var shelves []shelf
	for k, i := range s.instances {
		if k.member == member {
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

// signedIn remembers what a connector says of its sign-in.
func (s *Supervisor) signedIn(number int64, in bool) {
	state, reason := activations.Ready, ""
	if !in {
		state, reason = activations.PendingLogin, "it waits for its QR code to be scanned"
	}
	if err := s.activations.SetState(context.Background(), number, state, reason); err != nil {
		s.o.Log.Warn("cannot remember a sign-in", zap.Int64("activation", number), zap.Error(err))
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

// Activations lists what the member has activated; every member's when "".
func (s *Supervisor) Activations(ctx context.Context, member string) ([]Activation, error) {
	if member != "" {
		if err := s.exists(ctx, member); err != nil {
			return nil, err
		}
	}
	rows, err := s.activations.List(ctx)
	if err != nil {
		return nil, err
	}
	var all []Activation
	for _, act := range rows {
		if member == "" || act.Member == member {
			all = append(all, s.describe(act))
		}
	}
	return all, nil
}

// describe shows an activation as it stands now: what its instance has run into
// counts more than what is remembered.
func (s *Supervisor) describe(act activations.Activation) Activation {
	a := Activation{
		ID: act.Connector, Member: act.Member, Number: act.Number, Name: act.Name,
		State: act.State, Reason: act.Reason, AuthState: "ready",
	}
	if act.State != activations.Ready && act.State != activations.Error {
		a.AuthState = "pending"
	}
	k := key{act.Member, act.Connector}
	if i := s.existing(k); i != nil {
		v := i.view.Load()
		if act.State != activations.PendingSetup && (v.state == Failed || v.state == Backoff) {
			a.State, a.Reason = activations.Error, v.lastError
		}
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if c := s.catalogues[act.Member]; c != nil {
		for _, t := range c.tools {
			if t.Connector == act.Connector {
				a.Tools = append(a.Tools, t)
			}
		}
	}
	return a
}
