package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// schemaTable holds how far each room has come.
const schemaTable = `CREATE TABLE IF NOT EXISTS schema (
	room    TEXT PRIMARY KEY,
	version INTEGER NOT NULL
) STRICT`

// NewerError says that the database was written by a newer program. Nothing was
// changed.
type NewerError struct {
	Room        string
	Have, Known int // version found, newest version this program knows
}

// Error says what to do next: go forward again, never backward.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the database is newer than this program (%s is at version %d, this program knows %d): start the newer majordomo, or restore a backup made by this one",
		e.Room, e.Have, e.Known)
}

// Migrate applies the steps of room that the database has not seen, in order,
// each in a transaction of its own together with its new version number: a
// crash leaves the version before or after a step, never between. Steps are
// append-only; one that has shipped is never edited.
func Migrate(ctx context.Context, db *sql.DB, room string, steps []string) error {
	have, err := version(ctx, db, room)
	if err != nil {
		return Explain(fmt.Errorf("cannot read the schema version of %s: %w", room, err))
	}
	if have > len(steps) {
		return &NewerError{Room: room, Have: have, Known: len(steps)}
	}
	for n := have; n < len(steps); n++ {
		if err := apply(ctx, db, room, n+1, steps[n]); err != nil {
			return Explain(fmt.Errorf("cannot migrate %s to version %d: %w", room, n+1, err))
		}
	}
	return nil
}

func version(ctx context.Context, db *sql.DB, room string) (int, error) {
	if _, err := db.ExecContext(ctx, schemaTable); err != nil {
		return 0, err
	}
	var v int
	err := db.QueryRowContext(ctx, `SELECT version FROM schema WHERE room = ?`, room).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return v, err
}

func apply(ctx context.Context, db *sql.DB, room string, to int, step string) error {
	return InTx(ctx, db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO schema (room, version) VALUES (?, ?)
			ON CONFLICT (room) DO UPDATE SET version = excluded.version`, room, to)
		return err
	})
}

// InTx runs f in one transaction: committed when f returns nil, rolled back
// otherwise. f must use tx only, for db has no second connection to give it.
func InTx(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit this does nothing
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}
