// Package vault keeps members' secrets sealed.
//
// A Handle belongs to one member and one connector and can name no other. Each
// value is sealed with XChaCha20-Poly1305 under a key that lives in a file of
// its own, bound to member, connector and name: a row that is moved or renamed
// does not open. It never logs, and hands values out only as Secret. It starts
// no goroutine.
package vault

import (
	"context"
	"crypto/cipher"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"

	"majordomo/configs/database"
)

var steps = []string{
	`CREATE TABLE secrets (
		member    TEXT NOT NULL,
		connector TEXT NOT NULL,
		name      TEXT NOT NULL,
		sealed    BLOB NOT NULL,
		PRIMARY KEY (member, connector, name)
	) STRICT, WITHOUT ROWID`,
}

// Querier is a database or a transaction of it.
type Querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Vault hands out handles. It is safe for concurrent use.
type Vault struct{ seal cipher.AEAD }

// New migrates the vault's table and loads its key, which it makes, with mode
// 0600, the first time.
func New(ctx context.Context, db *sql.DB, keyFile string) (*Vault, error) {
	if err := database.Migrate(ctx, db, "vault", steps); err != nil {
		return nil, err
	}
	key, err := loadKey(keyFile)
	if err != nil {
		return nil, err
	}
	seal, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, fmt.Errorf("cannot use vault key %s: %w", keyFile, err)
	}
	return &Vault{seal: seal}, nil
}

// Handle is the part of the vault that belongs to one member and connector.
type Handle struct {
	vault             *Vault
	member, connector string
}

// Of returns the handle of one member and connector.
func (v *Vault) Of(member, connector string) Handle {
	return Handle{vault: v, member: member, connector: connector}
}

// Put seals one value, replacing what was there under this name.
func (h Handle) Put(ctx context.Context, q Querier, name string, value Secret) error {
	nonce := make([]byte, chacha20poly1305.NonceSizeX)
	rand.Read(nonce)
	sealed := h.vault.seal.Seal(nonce, nonce, []byte(value.Reveal()), h.bound(name))
	_, err := q.ExecContext(ctx, `INSERT INTO secrets (member, connector, name, sealed) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET sealed = excluded.sealed`, h.member, h.connector, name, sealed)
	if err != nil {
		return fmt.Errorf("cannot keep secret %s of %s: %w", name, h.connector, err)
	}
	return nil
}

// All opens every secret under the handle.
func (h Handle) All(ctx context.Context, q Querier) (map[string]Secret, error) {
	rows, err := q.QueryContext(ctx, `SELECT name, sealed FROM secrets WHERE member = ? AND connector = ?`, h.member, h.connector)
	if err != nil {
		return nil, fmt.Errorf("cannot read the secrets of %s: %w", h.connector, err)
	}
	defer rows.Close()
	all := map[string]Secret{}
	for rows.Next() {
		var name string
		var sealed []byte
		if err := rows.Scan(&name, &sealed); err != nil {
			return nil, fmt.Errorf("cannot read the secrets of %s: %w", h.connector, err)
		}
		if all[name], err = h.open(name, sealed); err != nil {
			return nil, err
		}
	}
	return all, rows.Err()
}

// Revoke destroys every secret under the handle.
func (h Handle) Revoke(ctx context.Context, q Querier) error {
	_, err := q.ExecContext(ctx, `DELETE FROM secrets WHERE member = ? AND connector = ?`, h.member, h.connector)
	return err
}

func (h Handle) open(name string, sealed []byte) (Secret, error) {
	if len(sealed) < chacha20poly1305.NonceSizeX {
		return Secret{}, h.spoilt(name)
	}
	nonce, box := sealed[:chacha20poly1305.NonceSizeX], sealed[chacha20poly1305.NonceSizeX:]
	value, err := h.vault.seal.Open(nil, nonce, box, h.bound(name))
	if err != nil {
		return Secret{}, h.spoilt(name)
	}
	return Conceal(string(value)), nil
}

func (h Handle) spoilt(name string) error {
	return fmt.Errorf("cannot open secret %s of %s for %s: it was sealed with another key or changed since; give it again with --secret %s=@FILE",
		name, h.connector, h.member, name)
}

// bound is what a sealed value is tied to. None of the three holds a "|": they
// are checked names, and an environment variable's name.
func (h Handle) bound(name string) []byte {
	return []byte(strings.Join([]string{h.member, h.connector, name}, "|"))
}
