// Package ids gives out uids and gids of this machine, for good: an id that was
// given to one purpose is never given to another, even when that purpose is long
// gone, because files that it owned may still lie somewhere.
//
// It creates no account and starts no goroutine.
package ids

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"majordomo/configs/database"
)

var steps = []string{
	`CREATE TABLE ids (
		id      INTEGER PRIMARY KEY,
		purpose TEXT NOT NULL UNIQUE
	) STRICT`,
}

// IDs remembers which id belongs to what. It is safe for concurrent use.
type IDs struct {
	db   *sql.DB
	base int
}

// New migrates the table. Ids that are not given yet are looked for from base
// upward; see PickBase.
func New(ctx context.Context, db *sql.DB, base int) (*IDs, error) {
	if err := database.Migrate(ctx, db, "ids", steps); err != nil {
		return nil, err
	}
	return &IDs{db: db, base: base}, nil
}

// Of returns the id that belongs to purpose, and gives it one the first time.
func (i *IDs) Of(ctx context.Context, purpose string) (int, error) {
	var id int
	err := database.InTx(ctx, i.db, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT id FROM ids WHERE purpose = ?`, purpose).Scan(&id)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		// Rows are never deleted, so the largest id is the last one given.
		return tx.QueryRowContext(ctx, `INSERT INTO ids (id, purpose)
			SELECT max(?, coalesce(max(id) + 1, 0)), ? FROM ids RETURNING id`, i.base, purpose).Scan(&id)
	})
	if err != nil {
		return 0, fmt.Errorf("cannot give %s a uid: %w", purpose, err)
	}
	return id, nil
}
