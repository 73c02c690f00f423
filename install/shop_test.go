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
	"testing"

	"majordomo/configs"
	"majordomo/configs/database"
	"majordomo/configs/digest"
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
	pkg, err := i.Install(t.Context(), Request{ID: id, AcceptWider: true})
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
