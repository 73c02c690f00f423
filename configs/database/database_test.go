package database_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"majordomo/configs/database"
)

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := database.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Whoever is told that the disk is full hears what to do about it, from every caller of the database.
func TestFullDisk(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "small.db"))
	if _, err := db.Exec(`PRAGMA max_page_count = 1`); err != nil {
		t.Fatal(err)
	}
	_, err := db.Exec(`CREATE TABLE t (x)`)
	if got := database.Explain(fmt.Errorf("cannot add member ann: %w", err)); !strings.HasPrefix(got.Error(), "cannot add member ann: ") ||
		!strings.HasSuffix(got.Error(), "; free space on the disk of the state directory and try again") || !errors.Is(got, err) {
		t.Errorf("got %v", got)
	}
	if err := database.Migrate(t.Context(), db, "x", []string{`CREATE TABLE x (x)`}); err == nil || !strings.Contains(err.Error(), "free space") {
		t.Errorf("a migration says %v", err)
	}
	if other := errors.New("other"); database.Explain(other) != other || database.Explain(nil) != nil {
		t.Error("what is not about the disk is changed")
	}
}

// Names that mean something in a URL must mean themselves in a path.
func TestOpenOddNames(t *testing.T) {
	for _, name := range []string{"plain.db", "a b.db", "q?x=1.db", "h#h.db", "100%.db", "ünï.db"} {
		path := filepath.Join(t.TempDir(), name)
		db := open(t, path)
		if _, err := db.Exec(`CREATE TABLE t (x)`); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	path := filepath.Join(t.TempDir(), "majordomo.db")
	db := open(t, path)
	if err := database.Migrate(t.Context(), db, "r", []string{`CREATE TABLE t (x)`}); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		fi, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if got := fi.Mode().Perm(); got != 0o600 {
			t.Errorf("%s has mode %o, want 600", path+suffix, got)
		}
	}
}

func TestMigrateForward(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "majordomo.db"))
	steps := []string{
		`CREATE TABLE t (x INTEGER); CREATE INDEX tx ON t (x)`, // several statements in one step
		`INSERT INTO t VALUES (1)`,
		`INSERT INTO t VALUES (2)`,
	}
	for _, upTo := range []int{1, 1, 3, 3} { // repeats change nothing
		if err := database.Migrate(t.Context(), db, "supervisor", steps[:upTo]); err != nil {
			t.Fatal(err)
		}
	}
	// Another room starts from its own zero.
	if err := database.Migrate(t.Context(), db, "install", []string{`INSERT INTO t VALUES (3)`}); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := db.QueryRow(`SELECT count(*) FROM t`).Scan(&n); err != nil || n != 3 {
		t.Fatalf("got %d rows (%v), want 3", n, err)
	}
}

func TestMigrateRefusesNewer(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "majordomo.db"))
	if err := database.Migrate(t.Context(), db, "r", []string{`CREATE TABLE a (x)`, `CREATE TABLE b (x)`}); err != nil {
		t.Fatal(err)
	}
	err := database.Migrate(t.Context(), db, "r", []string{`CREATE TABLE a (x)`})
	var newer *database.NewerError
	if !errors.As(err, &newer) || newer.Have != 2 || newer.Known != 1 {
		t.Fatalf("got %v, want a NewerError 2 > 1", err)
	}
}

// A step that fails half way leaves nothing of itself.
func TestMigrateStepIsWhole(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "majordomo.db"))
	bad := []string{`CREATE TABLE a (x); INSERT INTO nowhere VALUES (1)`}
	if err := database.Migrate(t.Context(), db, "r", bad); err == nil {
		t.Fatal("a bad step was accepted")
	}
	good := []string{`CREATE TABLE a (x)`}
	if err := database.Migrate(t.Context(), db, "r", good); err != nil {
		t.Fatal(err)
	}
}

func TestWritersQueue(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "majordomo.db"))
	if err := database.Migrate(t.Context(), db, "r", []string{`CREATE TABLE t (x)`}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			err := database.InTx(t.Context(), db, func(tx *sql.Tx) error {
				_, err := tx.Exec(`INSERT INTO t VALUES (1)`)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
