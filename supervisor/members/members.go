// Package members remembers the people of the household and the tokens of their
// agents.
//
// It decides nothing about what a member may do, and never keeps the text of a
// token. It starts no goroutine.
package members

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"

	"majordomo/configs/database"
)

var steps = []string{
	`CREATE TABLE members (
		name  TEXT PRIMARY KEY,
		uid   INTEGER UNIQUE,
		admin INTEGER NOT NULL
	) STRICT;
	CREATE TABLE tokens (
		id      TEXT PRIMARY KEY,
		member  TEXT NOT NULL REFERENCES members (name) ON DELETE CASCADE,
		name    TEXT NOT NULL,
		hash    BLOB NOT NULL,
		created INTEGER NOT NULL
	) STRICT`,
}

// Member is a person of the household.
type Member struct {
	Name  string
	UID   *int // the person's uid on this machine; nil when there is none
	Admin bool
}

// ErrUnknown is the answer about a member or token that does not exist.
var ErrUnknown = errors.New("unknown")

// TakenError says that a name or a uid belongs to somebody already.
type TakenError struct{ What, By string }

func (e *TakenError) Error() string {
	return fmt.Sprintf("%s belongs to member %s already", e.What, e.By)
}

// NameError says that a name does not follow the rule for names.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("%q is not a name: use 1 to 32 of a-z, 0-9, _ and -, beginning with a letter or digit", e.Name)
}

// nameRule is the one of docs/architecture.md, Words.
var nameRule = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)

// Members is safe for concurrent use.
type Members struct{ db *sql.DB }

// New migrates the tables.
func New(ctx context.Context, db *sql.DB) (*Members, error) {
	if err := database.Migrate(ctx, db, "members", steps); err != nil {
		return nil, err
	}
	return &Members{db: db}, nil
}

// Add adds a person: NameError, TakenError, or done.
func (m *Members) Add(ctx context.Context, p Member) error {
	if !nameRule.MatchString(p.Name) {
		return &NameError{Name: p.Name}
	}
	return database.InTx(ctx, m.db, func(tx *sql.Tx) error {
		for _, taken := range []struct {
			column, what string
			value        any
		}{
			{"name", "that name", p.Name},
			{"uid", "that uid", p.UID}, // nil equals nothing
		} {
			var by string
			err := tx.QueryRowContext(ctx, `SELECT name FROM members WHERE `+taken.column+` = ?`, taken.value).Scan(&by)
			if err == nil {
				return &TakenError{What: taken.what, By: by}
			}
			if !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO members (name, uid, admin) VALUES (?, ?, ?)`, p.Name, p.UID, p.Admin)
		return err
	})
}

// List returns everybody by name.
func (m *Members) List(ctx context.Context) ([]Member, error) {
	return m.query(ctx, `SELECT name, uid, admin FROM members ORDER BY name`)
}

// Get returns one member, or ErrUnknown.
func (m *Members) Get(ctx context.Context, name string) (Member, error) {
	return one(m.query(ctx, `SELECT name, uid, admin FROM members WHERE name = ?`, name))
}

// ByUID returns the member whose uid this is, or ErrUnknown.
func (m *Members) ByUID(ctx context.Context, uid int) (Member, error) {
	return one(m.query(ctx, `SELECT name, uid, admin FROM members WHERE uid = ?`, uid))
}

func (m *Members) query(ctx context.Context, query string, args ...any) ([]Member, error) {
	rows, err := m.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("cannot read members: %w", err)
	}
	defer rows.Close()
	var all []Member
	for rows.Next() {
		var p Member
		if err := rows.Scan(&p.Name, &p.UID, &p.Admin); err != nil {
			return nil, fmt.Errorf("cannot read members: %w", err)
		}
		all = append(all, p)
	}
	return all, rows.Err()
}

func one(all []Member, err error) (Member, error) {
	if err == nil && len(all) == 0 {
		err = ErrUnknown
	}
	if err != nil {
		return Member{}, err
	}
	return all[0], nil
}
