package supervisor

import (
	"context"
	"database/sql"
	"errors"

	"majordomo/configs/database"
)

// Deactivate stops the instance and forgets configuration and secrets. What the
// connector keeps in its own directory stays. Once begun it is done to the end:
// a caller who leaves would leave something that is remembered but does not run.
func (s *Supervisor) Deactivate(ctx context.Context, member, connector string) error {
	k := key{member, connector}
	unlock, err := s.edits.lock(ctx, k)
	if err != nil {
		return err
	}
	defer unlock()
	ctx = context.WithoutCancel(ctx)
	act, err := s.activated(ctx, member, connector)
	if err != nil {
		return err
	}
	s.drop(ctx, k)
	return database.InTx(ctx, s.o.DB, func(tx *sql.Tx) error {
		if err := s.vault.Of(member, connector).Revoke(ctx, tx); err != nil {
			return err
		}
		return s.activations.Delete(ctx, tx, act.Number)
	})
}

// Remove deactivates a connector for everybody and has its package taken away.
// Whoever activates it meanwhile has it deactivated too, or is told that it is
// not installed.
func (s *Supervisor) Remove(ctx context.Context, connector string, take func(context.Context) error) error {
	ctx = context.WithoutCancel(ctx) // as Deactivate
	done, err := s.updates.lock(ctx, key{connector: connector})
	if err != nil {
		return err
	}
	defer done()
	if err := s.deactivateAll(ctx, connector); err != nil {
		return err
	}
	unlock, err := s.edits.lock(ctx, key{connector: connector})
	if err != nil {
		return err
	}
	err = take(ctx)
	unlock()
	if err != nil {
		return err
	}
	return s.deactivateAll(ctx, connector)
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
