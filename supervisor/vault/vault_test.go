package vault_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"majordomo/configs/database"
	"majordomo/supervisor/vault"
)

const canary = "canary-7c2f41-do-not-show"

func open(t *testing.T, dir string) (*vault.Vault, *sql.DB) {
	t.Helper()
	db, err := database.Open(filepath.Join(dir, "majordomo.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	v, err := vault.New(t.Context(), db, filepath.Join(dir, "vault.key"))
	if err != nil {
		t.Fatal(err)
	}
	return v, db
}

func TestSecretNeverPrints(t *testing.T) {
	s := vault.Conceal(canary)
	nested := struct {
		S vault.Secret
		P *vault.Secret
		L []vault.Secret
		M map[vault.Secret]vault.Secret
	}{s, &s, []vault.Secret{s}, map[vault.Secret]vault.Secret{s: s}}
	var shown strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p", "%t", "%20s", "%w"} {
		fmt.Fprintf(&shown, verb, s)
		fmt.Fprintf(&shown, verb, &s)
		fmt.Fprintf(&shown, verb, nested)
	}
	fmt.Fprint(&shown, s, nested)
	asJSON, err := json.Marshal(nested)
	if err != nil {
		t.Fatal(err)
	}
	shown.Write(asJSON)
	core, logs := observer.New(zap.DebugLevel)
	zap.New(core).Info("x", zap.Any("s", s), zap.Reflect("r", nested), zap.Stringer("t", s))
	for _, entry := range logs.All() {
		fmt.Fprint(&shown, entry.ContextMap())
	}
	shown.WriteString(s.String())
	if strings.Contains(shown.String(), canary) || strings.Contains(shown.String(), fmt.Sprintf("%x", canary)) {
		t.Errorf("a secret shows: %s", shown.String())
	}
	if s.Reveal() != canary {
		t.Error("Reveal lost the value")
	}
}

func TestKeepAndRevoke(t *testing.T) {
	v, db := open(t, t.TempDir())
	ann, bob := v.Of("ann", "mail"), v.Of("bob", "mail")
	want := map[string]string{"A": canary, "EMPTY": "", "BIN": "\x00\xff$(x)"}
	for name, value := range want {
		if err := ann.Put(t.Context(), db, name, vault.Conceal("old")); err != nil {
			t.Fatal(err)
		}
		if err := ann.Put(t.Context(), db, name, vault.Conceal(value)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(h vault.Handle, want map[string]string) {
		t.Helper()
		all, err := h.All(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for name, s := range all {
			got[name] = s.Reveal()
		}
		if !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	check(ann, want)
	check(bob, nil)
	if err := ann.Revoke(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	check(ann, nil)
}

// A row belongs to its member, its connector and its name: moved to another
// place it does not open.
func TestMovedRowsDoNotOpen(t *testing.T) {
	for _, move := range []string{
		`UPDATE secrets SET member = 'bob'`,
		`UPDATE secrets SET connector = 'evil'`,
		`UPDATE secrets SET name = 'OTHER'`,
		`UPDATE secrets SET sealed = x'00'`,
		`UPDATE secrets SET sealed = zeroblob(64)`,
	} {
		v, db := open(t, t.TempDir())
		if err := v.Of("ann", "mail").Put(t.Context(), db, "KEY", vault.Conceal(canary)); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(move); err != nil {
			t.Fatal(err)
		}
		for _, h := range []vault.Handle{v.Of("ann", "mail"), v.Of("bob", "mail"), v.Of("ann", "evil")} {
			all, err := h.All(t.Context(), db)
			if err == nil && len(all) > 0 {
				t.Errorf("%s: %v opened it", move, h)
			}
		}
	}
}

// Nothing of a secret is in any file, before and after the daemon closed it.
func TestNoCanaryOnDisk(t *testing.T) {
	dir := t.TempDir()
	v, db := open(t, dir)
	h := v.Of("ann", "mail")
	if err := h.Put(t.Context(), db, "KEY", vault.Conceal(canary)); err != nil {
		t.Fatal(err)
	}
	search(t, dir)
	db.Close()
	search(t, dir)
}

func search(t *testing.T, dir string) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		seen++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(canary)) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil || seen < 2 {
		t.Fatalf("searched %d files: %v", seen, err)
	}
}

func TestKeyFile(t *testing.T) {
	dir := t.TempDir()
	v, db := open(t, dir)
	if err := v.Of("ann", "mail").Put(t.Context(), db, "KEY", vault.Conceal(canary)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "vault.key")
	fi, err := os.Stat(path)
	if err != nil || fi.Mode().Perm() != 0o600 || fi.Size() != 32 {
		t.Fatalf("key file: %v (%v)", fi, err)
	}
	again, err := vault.New(t.Context(), db, path) // the same key, not a new one
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Of("ann", "mail").All(t.Context(), db); err != nil {
		t.Error(err)
	}
	for _, bad := range []struct {
		name    string
		content int
		mode    fs.FileMode
	}{
		{"cut by a full disk", 31, 0o600},
		{"something else", 4096, 0o600},
		{"readable by others", 32, 0o640},
	} {
		path := filepath.Join(t.TempDir(), "vault.key")
		if err := os.WriteFile(path, make([]byte, bad.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, bad.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := vault.New(t.Context(), db, path); err == nil {
			t.Errorf("a key file %s was taken", bad.name)
		}
		if fi, _ := os.Stat(path); fi.Size() != int64(bad.content) {
			t.Errorf("a key file %s was replaced", bad.name)
		}
	}
}
