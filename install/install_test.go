package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"majordomo/configs/manifest"
)

func TestInstallUpdateRemove(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, map[string]string{"lib/a.py": "a", "lib/deep/b.py": "b", "dropped.py": "x", "icon.png": "p"})
	i := newInstaller(t, s.dir, t.TempDir())
	whole(t, i, "notes", 0)
	first := mustInstall(t, i, "notes")
	whole(t, i, "notes", 1)
	clean(t, i)

	again := mustInstall(t, i, "notes") // the same version and bytes is fine
	if again.Digest != first.Digest || again.InstalledAt.Before(first.InstalledAt) {
		t.Errorf("%+v after %+v", again, first)
	}
	s.publish("notes", 2, nil)
	second := mustInstall(t, i, "notes")
	whole(t, i, "notes", 2) // and what version 2 dropped is gone
	clean(t, i)
	if kept := tree(t, i.paths.Previous("notes")); kept["dropped.py"] != "x" {
		t.Errorf("what version 2 replaced: %v", kept)
	}
	if second.Digest == first.Digest {
		t.Error("two versions share a digest")
	}
	if list, err := i.List(t.Context()); err != nil || len(list) != 1 || list[0].Digest != second.Digest {
		t.Errorf("%+v, %v", list, err)
	}
	if err := i.Remove(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	whole(t, i, "notes", 0)
	clean(t, i)
	if kept := tree(t, i.paths.Previous("notes")); len(kept) != 0 {
		t.Errorf("removed but kept: %v", kept)
	}
	for _, id := range []string{"notes", "never", "../x", ""} {
		var absent *NotInstalledError
		if err := i.Remove(t.Context(), id); !errors.As(err, &absent) {
			t.Errorf("remove %q: %v", id, err)
		}
	}
}

func TestModes(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, map[string]string{"lib/tool": "#!/usr/bin/env node\n", "lib/data": "#", "empty": ""})
	i := newInstaller(t, s.dir, t.TempDir())
	pkg := mustInstall(t, i, "notes")
	for name, want := range map[string]fs.FileMode{
		"run.sh": 0o755, "lib/tool": 0o755, "lib/data": 0o644, "empty": 0o644, "connector.json": 0o644,
		manifest.Receipt: 0o644, "lib": fs.ModeDir | 0o755, ".": fs.ModeDir | 0o755,
	} {
		info, err := os.Stat(filepath.Join(pkg.Dir, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", name, info.Mode(), err, want)
		}
	}
}

func TestVersionRules(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 2, nil)
	i := newInstaller(t, s.dir, t.TempDir())
	mustInstall(t, i, "notes")

	s.publish("notes", 2, map[string]string{"extra": "x"})
	_, err := i.Install(t.Context(), Request{ID: "notes"})
	refusedWith(t, err, "the feed offers other files under the installed version 2")
	s.publish("notes", 1, nil)
	_, err = i.Install(t.Context(), Request{ID: "notes"})
	refusedWith(t, err, "offers version 1, which is older than the installed version 2; --allow-downgrade")
	whole(t, i, "notes", 2)
	if _, err := i.Install(t.Context(), Request{ID: "notes", AllowDowngrade: true}); err != nil {
		t.Fatal(err)
	}
	whole(t, i, "notes", 1)
	clean(t, i)
}

func refusedWith(t *testing.T, err error, want string) {
	t.Helper()
	var refused interface{ Refused() bool }
	if !errors.As(err, &refused) || !refused.Refused() || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want a refusal with %q", err, want)
	}
}

// Installs of one id queue, different ids run side by side.
func TestConcurrentInstalls(t *testing.T) {
	s := newShop(t)
	ids := []string{"a", "b", "c"}
	for _, id := range ids {
		s.publish(id, 1, map[string]string{"lib/x": id})
	}
	i := newInstaller(t, s.dir, t.TempDir())
	inside, together := make(chan string), make(chan struct{})
	i.reached = func(step string) {
		if step == "downloaded" {
			inside <- step
			<-together
		}
	}
	var wg sync.WaitGroup
	for _, id := range ids {
		for range 2 {
			wg.Go(func() {
				if _, err := i.Install(t.Context(), Request{ID: id}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	for range ids { // one of each id is inside at the same time
		<-inside
	}
	select {
	case <-inside:
		t.Error("two installs of one id at the same time")
	default:
	}
	go func() {
		for range inside {
		}
	}()
	close(together)
	wg.Wait()
	close(inside)
	for _, id := range ids {
		whole(t, i, id, 1)
	}
	clean(t, i)
}

// Whoever asked for what is not there leaves nothing behind.
func TestQueueForgets(t *testing.T) {
	i := newInstaller(t, t.TempDir(), t.TempDir())
	for n := range 100 {
		if err := i.Remove(t.Context(), fmt.Sprint(n)); err == nil {
			t.Error("removed what never was")
		}
	}
	if i.queue.Len() != 0 {
		t.Errorf("%d ids are remembered", i.queue.Len())
	}
}

// What is installed is known and whole without any feed.
func TestOffline(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, nil)
	state := t.TempDir()
	mustInstall(t, newInstaller(t, s.dir, state), "notes")
	for _, base := range []string{"", filepath.Join(s.dir, "gone"), "http://127.0.0.1:1"} {
		i := newInstaller(t, base, state)
		whole(t, i, "notes", 1)
		if list, err := i.List(t.Context()); len(list) != 1 || err != nil {
			t.Errorf("%d packages, %v", len(list), err)
		}
		if _, err := i.Install(t.Context(), Request{ID: "notes"}); err == nil {
			t.Errorf("installed from feed %q", base)
		}
		whole(t, i, "notes", 1)
	}
}
