package members

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// prefix lets people, and tools that look for leaked credentials, tell what a
// token is for.
const prefix = "mjd"

// Token is what is remembered of a token.
type Token struct {
	ID, Member, Name string
	Created          time.Time
}

// CreateToken makes a token of 256 random bits for a member and returns its
// text, mjd_<id>_<secret>, of which only a SHA-256 is kept.
func (m *Members) CreateToken(ctx context.Context, member, name string) (Token, string, error) {
	if _, err := m.Get(ctx, member); err != nil {
		return Token{}, "", err
	}
	t := Token{ID: hex.EncodeToString(random(6)), Member: member, Name: name, Created: time.Now().UTC().Truncate(time.Second)}
	text := strings.Join([]string{prefix, t.ID, base64.RawURLEncoding.EncodeToString(random(32))}, "_")
	hash := sha256.Sum256([]byte(text))
	_, err := m.db.ExecContext(ctx, `INSERT INTO tokens (id, member, name, hash, created) VALUES (?, ?, ?, ?, ?)`,
		t.ID, t.Member, t.Name, hash[:], t.Created.Unix())
	if err != nil {
		return Token{}, "", fmt.Errorf("cannot keep the token: %w", err)
	}
	return t, text, nil
}

// MemberOf returns whose token this is, or ErrUnknown.
func (m *Members) MemberOf(ctx context.Context, text string) (string, error) {
	parts := strings.SplitN(text, "_", 3)
	if len(parts) != 3 || parts[0] != prefix {
		return "", ErrUnknown
	}
	var member string
	var want []byte
	err := m.db.QueryRowContext(ctx, `SELECT member, hash FROM tokens WHERE id = ?`, parts[1]).Scan(&member, &want)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrUnknown
	}
	if err != nil {
		return "", fmt.Errorf("cannot check the token: %w", err)
	}
	have := sha256.Sum256([]byte(text))
	if subtle.ConstantTimeCompare(have[:], want) != 1 {
		return "", ErrUnknown
	}
	return member, nil
}

// Tokens lists the tokens of everybody, oldest first.
func (m *Members) Tokens(ctx context.Context) ([]Token, error) {
	rows, err := m.db.QueryContext(ctx, `SELECT id, member, name, created FROM tokens ORDER BY created, id`)
	if err != nil {
		return nil, fmt.Errorf("cannot read tokens: %w", err)
	}
	defer rows.Close()
	var all []Token
	for rows.Next() {
		var t Token
		var created int64
		if err := rows.Scan(&t.ID, &t.Member, &t.Name, &created); err != nil {
			return nil, fmt.Errorf("cannot read tokens: %w", err)
		}
		t.Created = time.Unix(created, 0).UTC()
		all = append(all, t)
	}
	return all, rows.Err()
}

// RevokeToken makes a token worthless from now on; ErrUnknown when there is none.
func (m *Members) RevokeToken(ctx context.Context, id string) error {
	done, err := m.db.ExecContext(ctx, `DELETE FROM tokens WHERE id = ?`, id)
	if err != nil {
		return fmt.Errorf("cannot revoke token %s: %w", id, err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrUnknown, err)
	}
	return nil
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails: it ends the program instead
	return b
}
