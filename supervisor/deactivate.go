package supervisor

import (
	"context"
	"database/sql"

	"majordomo/configs/database"
)

// Deactivate stops the instance and forgets configuration and secrets. What the
// connector keeps in its own directory stays, copies of its package and tree do not. Once begun it is done to the end:
// a caller who leaves would leave something that is remembered but does not run.
func (s *Supervisor) Deactivate(ctx context.Context, member, connector string) error {
	k := key{member, connector}
	unlock, err := s.edits.Lock(ctx, k)
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
	if err := s.o.Launcher.Leave(act.Member, act.Name); err != nil {
		return err
	}
	return database.InTx(ctx, s.o.DB, func(tx *sql.Tx) error {
		if err := s.vault.Of(member, connector).Revoke(ctx, tx); err != nil {
			return err
		}
		return s.activations.Delete(ctx, tx, act.Number)
	})
}
