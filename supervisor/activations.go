package supervisor

import (
	"context"
	"errors"
	"fmt"

	"go.uber.org/zap"

	"majordomo/supervisor/activations"
)

// Activations as they are remembered, read and brought up to date.

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
		State: act.State, Reason: act.Reason, AuthState: "ready", Egress: act.Egress,
	}
	if act.State != activations.Ready && act.State != activations.Error {
		a.AuthState = "pending"
	}
	k := key{act.Member, act.Connector}
	if i := s.existing(k); i != nil {
		v := i.view.Load()
		if act.State != activations.PendingSetup && (v.state == Failed || v.state == Backoff) {
			a.State, a.Reason = activations.Error, v.cause.Text
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

// activated returns a remembered activation, or says what to do.
func (s *Supervisor) activated(ctx context.Context, member, connector string) (activations.Activation, error) {
	act, err := s.activations.Get(ctx, member, connector)
	if !errors.Is(err, activations.ErrUnknown) {
		return act, err
	}
	if err := s.exists(ctx, member); err != nil {
		return activations.Activation{}, err
	}
	return activations.Activation{}, &NotFound{
		Kind: "activation", Name: connector,
		Hint: fmt.Sprintf("%s has not activated it; do so with: majordomo activate %s --member %s", member, connector, member),
	}
}

// remembered returns what the member filled in.
func (s *Supervisor) remembered(ctx context.Context, act activations.Activation) (values, error) {
	sealed, err := s.vault.Of(act.Member, act.Connector).All(ctx, s.o.DB)
	if err != nil {
		return values{}, err
	}
	return values{plain: act.Config, sealed: sealed}, nil
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
