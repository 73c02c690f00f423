// Package activations remembers what members want to run: which connector, with
// which values, how far signing in has come. Secrets are not here but in the
// vault.
//
// It runs nothing and starts no goroutine.
package activations

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"majordomo/configs/database"
	"majordomo/sandbox/egress"
)

// The table comes after the members', to which it refers. AUTOINCREMENT, so that
// no number is ever given twice.
var steps = []string{
	`CREATE TABLE activations (
		number    INTEGER PRIMARY KEY AUTOINCREMENT,
		member    TEXT NOT NULL REFERENCES members (name),
		connector TEXT NOT NULL,
		name      TEXT NOT NULL,
		uid       INTEGER NOT NULL,
		gid       INTEGER NOT NULL,
		config    TEXT NOT NULL,
		state     TEXT NOT NULL CHECK (state IN ('pending_setup', 'pending_oauth', 'pending_login', 'ready', 'error')),
		reason    TEXT NOT NULL,
		tools     TEXT NOT NULL DEFAULT '[]',
		created   INTEGER NOT NULL,
		UNIQUE (member, connector),
		UNIQUE (member, name)
	) STRICT`,
	`ALTER TABLE activations ADD COLUMN egress TEXT NOT NULL DEFAULT '{}'`,
	`ALTER TABLE activations ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1))`,
}

// State is how far an activation has come (docs/architecture.md, Activations).
type State string

// The states of an activation.
const (
	PendingSetup State = "pending_setup" // something the form demands is missing
	PendingOAuth State = "pending_oauth" // waiting for consent in a browser
	PendingLogin State = "pending_login" // waiting for a QR code to be scanned
	Ready        State = "ready"
	Error        State = "error" // it does not run; the reason says why
)

// ErrUnknown is the answer about an activation that does not exist.
var ErrUnknown = errors.New("unknown")

// Activation is one row. There is one per member and connector.
type Activation struct {
	Number            int64 // given by Put
	Member, Connector string
	Name              string            // what it is called inside its sandbox: see NameOf
	UID, GID          int               // who it runs as; 0 when the daemon is not root
	Config            map[string]string // form values that are not sealed
	State             State
	Reason            string          // why it is not Ready
	Stopped           bool            // a person wants it not to run
	Tools             json.RawMessage // as last listed, opaque here
	Egress            egress.Policy   // what a person said; without a Mode what the connector declares, or open
}

// Querier is a database or a transaction of it.
type Querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Activations is safe for concurrent use.
type Activations struct{ db *sql.DB }

// New migrates the table. Members must have migrated theirs before.
func New(ctx context.Context, db *sql.DB) (*Activations, error) {
	if err := database.Migrate(ctx, db, "activations", steps); err != nil {
		return nil, err
	}
	return &Activations{db: db}, nil
}

// Put writes an activation and returns its number. One that exists keeps its
// number, name, ids and tools.
func (a *Activations) Put(ctx context.Context, q Querier, act Activation) (int64, error) {
	config, err := json.Marshal(act.Config)
	reach, reachErr := json.Marshal(act.Egress)
	if err = errors.Join(err, reachErr); err != nil {
		return 0, fmt.Errorf("cannot keep the activation of %s: %w", act.Connector, err)
	}
	var number int64
	err = q.QueryRowContext(ctx, `INSERT INTO activations (member, connector, name, uid, gid, config, state, reason, egress, stopped, created)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (member, connector) DO UPDATE SET
			config = excluded.config, state = excluded.state, reason = excluded.reason, egress = excluded.egress,
			stopped = excluded.stopped
		RETURNING number`,
		act.Member, act.Connector, act.Name, act.UID, act.GID, string(config), act.State, act.Reason, string(reach), act.Stopped, time.Now().Unix()).Scan(&number)
	if err != nil {
		return 0, fmt.Errorf("cannot keep the activation of %s: %w", act.Connector, err)
	}
	return number, nil
}

const columns = `SELECT number, member, connector, name, uid, gid, config, state, reason, tools, egress, stopped FROM activations `

// Get returns one activation, or ErrUnknown.
func (a *Activations) Get(ctx context.Context, member, connector string) (Activation, error) {
	act, err := scan(a.db.QueryRowContext(ctx, columns+`WHERE member = ? AND connector = ?`, member, connector))
	if errors.Is(err, sql.ErrNoRows) {
		return Activation{}, ErrUnknown
	}
	return act, err
}

// List returns every activation, oldest first.
func (a *Activations) List(ctx context.Context) ([]Activation, error) {
	rows, err := a.db.QueryContext(ctx, columns+`ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("cannot read activations: %w", err)
	}
	defer rows.Close()
	var all []Activation
	for rows.Next() {
		act, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("cannot read activations: %w", err)
		}
		all = append(all, act)
	}
	return all, rows.Err()
}

func scan(row interface{ Scan(...any) error }) (Activation, error) {
	var act Activation
	var config, tools, reach string
	err := row.Scan(&act.Number, &act.Member, &act.Connector, &act.Name, &act.UID, &act.GID,
		&config, &act.State, &act.Reason, &tools, &reach, &act.Stopped)
	if err != nil {
		return Activation{}, err
	}
	act.Tools = json.RawMessage(tools)
	if err := errors.Join(json.Unmarshal([]byte(config), &act.Config), json.Unmarshal([]byte(reach), &act.Egress)); err != nil {
		return Activation{}, fmt.Errorf("activation %d holds broken values: %w", act.Number, err)
	}
	return act, nil
}

// SetState says how far an activation has come. One that is gone is no error.
func (a *Activations) SetState(ctx context.Context, number int64, state State, reason string) error {
	return a.set(ctx, number, `state = ?, reason = ?`, state, reason)
}

// SetStopped remembers whether a person wants an activation not to run.
func (a *Activations) SetStopped(ctx context.Context, number int64, stopped bool) error {
	return a.set(ctx, number, `stopped = ?`, stopped)
}

// SetTools remembers what an activation listed last.
func (a *Activations) SetTools(ctx context.Context, number int64, tools json.RawMessage) error {
	return a.set(ctx, number, `tools = ?`, string(tools))
}

func (a *Activations) set(ctx context.Context, number int64, what string, values ...any) error {
	_, err := a.db.ExecContext(ctx, `UPDATE activations SET `+what+` WHERE number = ?`, append(values, number)...)
	if err != nil {
		return fmt.Errorf("cannot update activation %d: %w", number, err)
	}
	return nil
}

// Delete forgets an activation. One that is gone is no error.
func (a *Activations) Delete(ctx context.Context, q Querier, number int64) error {
	_, err := q.ExecContext(ctx, `DELETE FROM activations WHERE number = ?`, number)
	if err != nil {
		return fmt.Errorf("cannot forget activation %d: %w", number, err)
	}
	return nil
}
