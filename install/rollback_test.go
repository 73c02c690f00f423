package install

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"majordomo/configs/manifest"
)

func rollback(t *testing.T, i *Installer, want int) {
	t.Helper()
	pkg, err := i.Rollback(t.Context(), "notes", nil)
	if err != nil || pkg.Release.Version != want || pkg.Dir != i.paths.Connector("notes") {
		t.Errorf("version %d in %s, %v; want %d", pkg.Release.Version, pkg.Dir, err, want)
	}
	whole(t, i, "notes", want)
	clean(t, i)
}

// Back, and forward again, with every file of either version.
func TestRollback(t *testing.T) {
	for name, exchanges := range map[string]bool{"exchange": true, "two renames": false} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			i := newInstaller(t, s.dir, t.TempDir())
			if !exchanges {
				i.exchange = func(string, string) error { return errNoExchange }
			}
			s.publish("notes", 1, map[string]string{"only-in-1": "x"})
			mustInstall(t, i, "notes")
			_, err := i.Rollback(t.Context(), "notes", nil)
			refusedWith(t, err, "cannot roll back notes: no previous package of it is here; one is kept from its next update on")
			whole(t, i, "notes", 1)

			s.publish("notes", 2, map[string]string{"only-in-2": "x"})
			mustInstall(t, i, "notes")
			rollback(t, i, 1)
			rollback(t, i, 2)
			rollback(t, i, 1)

			s.publish("notes", 3, nil)
			mustInstall(t, i, "notes")
			mustInstall(t, i, "notes") // the same again is nothing to go back to
			rollback(t, i, 1)          // what version 3 replaced
			if err := i.Remove(t.Context(), "notes"); err != nil {
				t.Fatal(err)
			}
			if left := tree(t, i.paths.Connectors()); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
			var absent *NotInstalledError
			if _, err := i.Rollback(t.Context(), "notes", nil); !errors.As(err, &absent) {
				t.Errorf("rolled back what is removed: %v", err)
			}
		})
	}
}

// A kept package that rotted is not put back.
func TestRollbackChecks(t *testing.T) {
	s := newShop(t)
	i := newInstaller(t, s.dir, t.TempDir())
	for version := 1; version <= 2; version++ {
		s.publish("notes", version, nil)
		mustInstall(t, i, "notes")
	}
	if err := os.WriteFile(filepath.Join(i.paths.Previous("notes"), "run.sh"), []byte("rot"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := i.Rollback(t.Context(), "notes", nil)
	refusedWith(t, err, "cannot roll back notes: the previous package is damaged: ")
	whole(t, i, "notes", 2)
	clean(t, i)
}

// A clock that was set back does not confuse old and new.
func TestClockSetBack(t *testing.T) {
	s := newShop(t)
	i := newInstaller(t, s.dir, t.TempDir())
	s.publish("notes", 1, nil)
	mustInstall(t, i, "notes")
	rec, err := readReceipt(i.paths.Connector("notes"), "notes")
	if err != nil {
		t.Fatal(err)
	}
	rec.InstalledAt = rec.InstalledAt.AddDate(10, 0, 0)
	text, err := rec.text()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(i.paths.Connector("notes"), manifest.Receipt), text, 0o644); err != nil {
		t.Fatal(err)
	}
	s.publish("notes", 2, nil)
	mustInstall(t, i, "notes")
	rollback(t, i, 1)
}
