package install

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEverything(t *testing.T) {
	s := newShop(t)
	i := newInstaller(t, s.dir, t.TempDir())
	s.publish("other", 1, nil)
	mustInstall(t, i, "other")
	for version := 1; version <= 2; version++ {
		s.publish("notes", version, nil)
		mustInstall(t, i, "notes")
	}
	all, err := i.Everything(t.Context())
	if err != nil || len(all) != 3 || all[2].Release.ID != "notes" || all[2].Release.Version != 1 || all[2].Dir != i.paths.Previous("notes") {
		t.Errorf("%+v, %v", all, err)
	}
}

// What is no package can be cleared away, and nothing else is.
func TestLeftovers(t *testing.T) {
	s := newShop(t)
	i := newInstaller(t, s.dir, t.TempDir())
	for version := 1; version <= 2; version++ {
		s.publish("notes", version, nil)
		mustInstall(t, i, "notes")
	}
	stray := filepath.Join(i.paths.Connector("stray"), "lib", "x")
	if err := os.MkdirAll(filepath.Dir(stray), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stray, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	left, err := i.Leftovers()
	if err != nil || len(left) != 1 || left[0].ID != "stray" || left[0].Bytes != 5 {
		t.Fatalf("%+v, %v", left, err)
	}
	for _, l := range []Leftover{left[0], {ID: "notes", Path: i.paths.Connector("notes")}, {ID: ".previous", Path: i.paths.Kept()}} {
		if err := i.Discard(t.Context(), l); err != nil {
			t.Error(err)
		}
	}
	if left, err := i.Leftovers(); err != nil || len(left) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
	whole(t, i, "notes", 2)
	rollback(t, i, 1)
}
