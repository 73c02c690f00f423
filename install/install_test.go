package install

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"majordomo/configs"
	"majordomo/configs/database"
	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/author"
	"majordomo/install/feed"
)

// shop is a feed in a directory that a test changes as a publisher would.
type shop struct {
	t   *testing.T
	dir string
	ids []string
}

func newShop(t *testing.T) *shop { return &shop{t: t, dir: t.TempDir()} }

// publish writes a connector at a version with these files and compiles the feed.
func (s *shop) publish(id string, version int, files map[string]string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, id)); err != nil {
		s.t.Fatal(err)
	}
	head := fmt.Sprintf(`{"id":%q,"version":%d,"type":"mcp_local"`, id, version)
	s.write(id+"/fragment.json", head+"}")
	s.write(id+"/connector.json", head+`,"mcp_config":{"command":"sh","args":["run.sh"]}}`)
	s.write(id+"/run.sh", fmt.Sprintf("#!/bin/sh\necho %d\n", version))
	for name, text := range files {
		s.write(id+"/"+name, text)
	}
	if !slices.Contains(s.ids, id) {
		s.ids = append(s.ids, id)
	}
	s.write("index.json", `["`+strings.Join(s.ids, `","`)+`"]`)
	text, err := author.Compile(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("connectors.json", string(text))
}

func (s *shop) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// edit replaces text in one document of the feed, behind the compiler's back.
func (s *shop) edit(name, old, new string) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil || !strings.Contains(string(text), old) {
		s.t.Fatalf("%s has no %q: %v", name, old, err)
	}
	s.write(name, strings.ReplaceAll(string(text), old, new))
}

func newInstaller(t *testing.T, base, state string) *Installer {
	t.Helper()
	i, err := openInstaller(t.Context(), base, state, t.Cleanup)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// openInstaller also serves the processes that crash tests start.
func openInstaller(ctx context.Context, base, state string, atEnd func(func())) (*Installer, error) {
	paths := configs.Paths{State: state}
	db, err := database.Open(paths.Database())
	if err != nil {
		return nil, err
	}
	atEnd(func() { db.Close() })
	f, err := feed.New(feed.Options{Base: base})
	if err != nil {
		return nil, err
	}
	i, err := New(ctx, Options{Paths: paths, Feed: f, DB: db})
	if err != nil {
		return nil, err
	}
	return i, i.Recover(ctx)
}

func openDB(t *testing.T, state string) *sql.DB {
	t.Helper()
	db, err := database.Open(configs.Paths{State: state}.Database())
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func mustInstall(t *testing.T, i *Installer, id string) Package {
	t.Helper()
	pkg, err := i.Install(t.Context(), Request{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// tree is the content of a directory: path → text.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

// whole checks that the package of id is entirely that version, or, with
// version 0, not there at all, and that every witness says so.
func whole(t *testing.T, i *Installer, id string, version int) {
	t.Helper()
	pkg, err := i.Package(t.Context(), id)
	if version == 0 {
		var absent *NotInstalledError
		if files := tree(t, i.paths.Connector(id)); len(files) != 0 || !errors.As(err, &absent) {
			t.Errorf("%s: want nothing, found %d files, %v", id, len(files), err)
		}
		return
	}
	if err != nil || pkg.Release.Version != version {
		t.Errorf("%s: version %d, %v, want %d", id, pkg.Release.Version, err, version)
	}
	files := tree(t, pkg.Dir)
	if text := files["run.sh"]; text != fmt.Sprintf("#!/bin/sh\necho %d\n", version) {
		t.Errorf("%s: run.sh is %q, want that of version %d", id, text, version)
	}
	for _, f := range pkg.Release.Files {
		if digest.Of([]byte(files[f.Path])) != f.SHA256 || int64(len(files[f.Path])) != f.Size {
			t.Errorf("%s: %s is not what the receipt says", id, f.Path)
		}
	}
	if len(files) != len(pkg.Release.Files)+1 {
		t.Errorf("%s: %d files for %d and a receipt", id, len(files), len(pkg.Release.Files))
	}
}

// clean checks that nothing half done is left.
func clean(t *testing.T, i *Installer) {
	t.Helper()
	if left, _ := names(i.paths.Staging()); len(left) != 0 {
		t.Errorf("left in staging: %v", left)
	}
}

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

func TestProgress(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 1, map[string]string{"big": strings.Repeat("x", 3<<20)})
	var events []Event // without a lock: reports never come two at once
	i := newInstaller(t, s.dir, t.TempDir())
	pkg, err := i.Install(t.Context(), Request{ID: "notes", Progress: func(e Event) { events = append(events, e) }})
	if err != nil {
		t.Fatal(err)
	}
	var phases []string
	for n, e := range events {
		if n > 0 && (e.Bytes < events[n-1].Bytes || e.Files < events[n-1].Files) {
			t.Errorf("progress goes back: %+v after %+v", e, events[n-1])
		}
		phases = append(phases, e.Phase)
	}
	if got := slices.Compact(phases); !slices.Equal(got, []string{PhasePlan, PhaseDownload, PhaseSwap, PhaseDone}) {
		t.Errorf("phases %v", got)
	}
	last := events[len(events)-1]
	if last.Files != len(pkg.Release.Files) || last.Files != last.FilesTotal || last.Bytes != last.BytesTotal || last.ID != "notes" {
		t.Errorf("at the end: %+v", last)
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

func TestQueueGivesUpWithItsContext(t *testing.T) {
	var q queue
	unlock, err := q.lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.lock(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	unlock()
	if _, err := q.lock(t.Context(), "a"); err != nil {
		t.Error(err)
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
