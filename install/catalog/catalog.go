// Package catalog keeps, in the daemon's database, what is installed: one row
// per package, a projection of the receipt that lies in the package's folder.
// Beside it, how new the newest index was that each publisher's key has signed,
// and which packages are on trial.
//
// It must never be the truth about packages: whoever changes one projects its
// receipt again afterwards. It starts no goroutines; a Catalog is safe for concurrent
// use.
package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"majordomo/configs/database"
)

var steps = []string{
	`CREATE TABLE packages (
		id      TEXT PRIMARY KEY,
		version INTEGER NOT NULL,
		receipt BLOB NOT NULL
	)`,
	`CREATE TABLE sequences (
		key      TEXT PRIMARY KEY,
		sequence INTEGER NOT NULL
	)`,
	`CREATE TABLE trials (
		id    TEXT PRIMARY KEY,
		trial BLOB NOT NULL
	)`,
}

// Catalog is the table of installed packages.
type Catalog struct{ db *sql.DB }

// Open brings the table up to date. The database stays the caller's.
func Open(ctx context.Context, db *sql.DB) (*Catalog, error) {
	if err := database.Migrate(ctx, db, "install", steps); err != nil {
		return nil, err
	}
	return &Catalog{db: db}, nil
}

// Put writes the row of id, new or not.
func (c *Catalog) Put(ctx context.Context, id string, version int, receipt []byte) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO packages (id, version, receipt) VALUES (?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET version = excluded.version, receipt = excluded.receipt`, id, version, receipt)
	if err != nil {
		return fmt.Errorf("cannot record package %s: %w", id, err)
	}
	return nil
}

// Delete removes the row of id, if there is one.
func (c *Catalog) Delete(ctx context.Context, id string) error {
	if _, err := c.db.ExecContext(ctx, `DELETE FROM packages WHERE id = ?`, id); err != nil {
		return fmt.Errorf("cannot forget package %s: %w", id, err)
	}
	return nil
}

// Get returns the receipt of id, or nil when there is no row.
func (c *Catalog) Get(ctx context.Context, id string) ([]byte, error) {
	var receipt []byte
	err := c.db.QueryRowContext(ctx, `SELECT receipt FROM packages WHERE id = ?`, id).Scan(&receipt)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("cannot look up package %s: %w", id, err)
	}
	return receipt, nil
}

// Advance records the sequence of an index signed with key, unless a higher one
// is recorded, and returns the highest there ever was.
func (c *Catalog) Advance(ctx context.Context, key string, sequence int64) (highest int64, err error) {
	err = c.db.QueryRowContext(ctx, `INSERT INTO sequences (key, sequence) VALUES (?, ?)
		ON CONFLICT (key) DO UPDATE SET sequence = max(sequence, excluded.sequence)
		RETURNING sequence`, key, sequence).Scan(&highest)
	if err != nil {
		return 0, fmt.Errorf("cannot record the age of the index: %w", err)
	}
	return highest, nil
}

// PutTrial writes down that a package of id is on trial; it replaces an earlier one.
func (c *Catalog) PutTrial(ctx context.Context, id string, trial []byte) error {
	_, err := c.db.ExecContext(ctx, `INSERT INTO trials (id, trial) VALUES (?, ?)
		ON CONFLICT (id) DO UPDATE SET trial = excluded.trial`, id, trial)
	if err != nil {
		return fmt.Errorf("cannot record the trial of %s: %w", id, err)
	}
	return nil
}

// DeleteTrial removes it, if there is one.
func (c *Catalog) DeleteTrial(ctx context.Context, id string) error {
	if _, err := c.db.ExecContext(ctx, `DELETE FROM trials WHERE id = ?`, id); err != nil {
		return fmt.Errorf("cannot forget the trial of %s: %w", id, err)
	}
	return nil
}

// Trials returns every trial by id.
func (c *Catalog) Trials(ctx context.Context) (map[string][]byte, error) {
	return c.all(ctx, "trials", `SELECT id, trial FROM trials`)
}

// All returns every receipt by id.
func (c *Catalog) All(ctx context.Context) (map[string][]byte, error) {
	return c.all(ctx, "packages", `SELECT id, receipt FROM packages`)
}

func (c *Catalog) all(ctx context.Context, what, query string) (map[string][]byte, error) {
	rows, err := c.db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("cannot list %s: %w", what, err)
	}
	defer rows.Close()
	all := map[string][]byte{}
	for rows.Next() {
		var id string
		var text []byte
		if err := rows.Scan(&id, &text); err != nil {
			return nil, fmt.Errorf("cannot list %s: %w", what, err)
		}
		all[id] = text
	}
	return all, rows.Err()
}
