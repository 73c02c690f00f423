package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"majordomo/configs/manifest"
)

// smallDisk mounts a filesystem of a few MiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("a small filesystem can be mounted by root only")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("cannot mount a small filesystem here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill leaves not a byte on the disk but in the file it names.
func fill(t *testing.T, dir string) (filler string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 16 << 20 / 4096 {
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return f.Name()
		}
	}
	t.Fatal("this is not the small disk")
	return ""
}

func TestFullDisk(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, s *shop, state string){
		"package too large": func(_ *testing.T, s *shop, _ string) {
			s.publish("notes", 2, map[string]string{"big": strings.Repeat("x", 6<<20)})
		},
		"not a byte left": func(t *testing.T, s *shop, state string) {
			s.publish("notes", 2, nil)
			fill(t, state)
		},
	} {
		t.Run(name, func(t *testing.T) {
			state := smallDisk(t)
			s := newShop(t)
			s.publish("notes", 1, nil)
			s.publish("other", 1, nil)
			i := newInstaller(t, s.dir, state)
			mustInstall(t, i, "notes")
			mustInstall(t, i, "other")
			prepare(t, s, state)

			_, err := i.Install(t.Context(), Request{ID: "notes", AcceptWider: true})
			if !errors.Is(err, syscall.ENOSPC) {
				t.Error(err)
			}
			oneSentence(t, err, "nothing was changed, free space in "+state+" and try again", false)
			whole(t, i, "notes", 1)
			whole(t, i, "other", 1)
			clean(t, i)
		})
	}
}

// A database that fails after the commit point does not undo the install: the
// next reader repairs the row.
func TestRowFollowsLater(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	state := t.TempDir()
	i := newInstaller(t, s.dir, state)
	mustInstall(t, i, "notes")
	s.publish("notes", 2, nil)
	i.reached = func(step string) {
		if step == "swapped" {
			renameTable(t, state, "packages", "hidden")
		}
	}
	if pkg := mustInstall(t, i, "notes"); pkg.Release.Version != 2 {
		t.Errorf("installed %d", pkg.Release.Version)
	}
	i.reached = func(string) {}
	renameTable(t, state, "hidden", "packages")
	whole(t, i, "notes", 2)
}

func renameTable(t *testing.T, state, from, to string) {
	t.Helper()
	other := openDB(t, state)
	defer other.Close()
	if _, err := other.Exec(`ALTER TABLE ` + from + ` RENAME TO ` + to); err != nil {
		t.Fatal(err)
	}
}

// The receipts are the truth: whatever the database says, Recover corrects it.
func TestRecoverRepairsTheDatabase(t *testing.T) {
	s := newShop(t)
	for _, id := range []string{"kept", "lost", "broken", "foreign"} {
		s.publish(id, 1, nil)
	}
	state := t.TempDir()
	i := newInstaller(t, s.dir, state)
	for _, id := range s.ids {
		mustInstall(t, i, id)
	}
	damage := []error{
		os.RemoveAll(i.paths.Connector("lost")),
		os.WriteFile(filepath.Join(i.paths.Connector("broken"), manifest.Receipt), []byte("{"), 0o644),
		os.Rename(i.paths.Connector("foreign"), i.paths.Connector("renamed")),
		i.catalog.Delete(t.Context(), "kept"),
		i.catalog.Put(t.Context(), "ghost", 1, []byte("{}")),
		os.WriteFile(filepath.Join(i.paths.Connectors(), "stray"), nil, 0o644),
		os.MkdirAll(filepath.Join(i.paths.Staging(), "half", "new"), 0o755),
	}
	if err := errors.Join(damage...); err != nil {
		t.Fatal(err)
	}
	i = newInstaller(t, s.dir, state)
	list, err := i.List(t.Context())
	if err != nil || len(list) != 1 || list[0].Release.ID != "kept" {
		t.Errorf("%+v, %v", list, err)
	}
	clean(t, i)
	for _, id := range []string{"lost", "broken", "foreign"} { // each can be had again
		mustInstall(t, i, id)
		whole(t, i, id, 1)
	}
}

// On a filesystem that cannot exchange, a failing second rename undoes the first.
func TestFallbackSwap(t *testing.T) {
	s := newShop(t)
	i := newInstaller(t, s.dir, t.TempDir())
	i.exchange = func(string, string) error { return errNoExchange }
	for version := 1; version <= 2; version++ {
		s.publish("notes", version, nil)
		mustInstall(t, i, "notes")
		whole(t, i, "notes", version)
	}
	s.publish("notes", 3, nil)
	i.reached = func(step string) {
		if step == "parked" {
			os.Rename(i.fresh("notes"), i.fresh("notes")+".gone")
		}
	}
	if _, err := i.Install(t.Context(), Request{ID: "notes", AcceptWider: true}); err == nil {
		t.Error("installed without a package")
	}
	whole(t, i, "notes", 2)
	clean(t, i)
}

func TestCancelledInstall(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	i := newInstaller(t, s.dir, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	_, err := i.Install(ctx, Request{ID: "notes", Progress: func(e Event) {
		if e.Phase == PhaseDownload {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	whole(t, i, "notes", 0)
	clean(t, i)
}

// What comes is counted, whatever was declared.
func TestPackageIsBounded(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	i := newInstaller(t, s.dir, t.TempDir())
	mustInstall(t, i, "notes")
	s.publish("notes", 2, map[string]string{"a": strings.Repeat("x", 1000), "b": strings.Repeat("y", 1000)})
	s.edit("connectors.json", `"size": 1000`, `"size": 1`)
	i.room = 2000
	_, err := i.Install(t.Context(), Request{ID: "notes", AcceptWider: true})
	oneSentence(t, err, "its files are more than the limit of 256 MiB together", true)
	whole(t, i, "notes", 1)
	clean(t, i)
	i.room = 2000 + 200
	if _, err := i.Install(t.Context(), Request{ID: "notes", AcceptWider: true}); err != nil {
		t.Error(err)
	}
	whole(t, i, "notes", 2)
}
