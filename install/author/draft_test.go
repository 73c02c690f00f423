package author

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"majordomo/configs/digest"
)

// source writes a connector that can be run.
func source(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "notes")
	put(t, dir, "connector.json", `{"id": "notes", "version": 1, "type": "mcp_local", "scope": "user", "mcp_config": {"command": "python3", "args": ["server.py"]}}`)
	put(t, dir, "fragment.json", `{"id": "notes", "version": 1}`)
	put(t, dir, "server.py", "1")
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	dir := source(t)
	put(t, dir, "lib/word.py", "2")
	for _, name := range []string{
		"server.py~", ".server.py.swp", ".#server.py", "#server.py#", "4913", ".git/HEAD", "node_modules/x/index.js",
		"__pycache__/server.pyc", "lib/__pycache__/word.pyc", "old.pyc",
	} {
		put(t, dir, name, "x")
	}
	d, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Release.Installable(); err != nil {
		t.Error(err)
	}
	want := []string{"connector.json", "fragment.json", "lib/word.py", "server.py"}
	if got := slices.Sorted(maps.Keys(d.Files)); !slices.Equal(got, want) {
		t.Errorf("it read %v, want %v", got, want)
	}
	// What is sent is what was digested.
	for _, f := range d.Release.Files {
		if digest.Of(d.Files[f.Path]) != f.SHA256 {
			t.Errorf("%s: other bytes than those of its digest", f.Path)
		}
	}
	if len(d.Report.Findings) == 0 {
		t.Error("nothing was found in a folder without icons")
	}
}

// A folder may belong to somebody whom its reader should not trust.
func TestReadStaysInside(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	put(t, filepath.Dir(secret), "secret", "of somebody else")
	for name, plant := range map[string]func(file string) error{
		"a link":        func(file string) error { return os.Symlink(secret, file) },
		"a pipe":        func(file string) error { return unix.Mkfifo(file, 0o644) },
		"a linked tree": func(file string) error { return os.Symlink(filepath.Dir(secret), file) },
		"another name of a stranger's file": func(file string) error {
			if os.Getuid() != 0 {
				return os.Symlink(secret, file) // only root has strangers' files
			}
			return os.Link(secret, file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := source(t)
			if os.Getuid() == 0 {
				if err := os.Chown(dir, 4711, 4711); err != nil {
					t.Fatal(err)
				}
			}
			if err := plant(filepath.Join(dir, "taken.py")); err != nil {
				t.Fatal(err)
			}
			d, err := Read(dir)
			if err == nil || !strings.Contains(err.Error(), "taken.py") {
				t.Errorf("it was read: %v, %v", slices.Collect(maps.Keys(d.Files)), err)
			}
		})
	}
}

// A file that becomes a link between two looks at it does not lead outside.
func TestReadWhileFilesAreSwapped(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	put(t, filepath.Dir(secret), "secret", "of somebody else")
	dir := source(t)
	link, file := dir+"-link", filepath.Join(dir, "server.py")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				_ = unix.Renameat2(unix.AT_FDCWD, link, unix.AT_FDCWD, file, unix.RENAME_EXCHANGE)
			}
		}
	}()
	for range 400 {
		d, err := Read(dir)
		if err == nil && bytes.Contains(d.Files["server.py"], []byte("somebody")) {
			t.Error("a file outside the folder was read")
			break
		}
	}
	close(stop)
	<-stopped
}

func TestReadIsBounded(t *testing.T) {
	dir := source(t)
	for _, name := range []string{"a.bin", "b.bin", "c.bin", "d.bin"} {
		put(t, dir, name, strings.Repeat("x", 7<<20))
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "24 MiB") {
		t.Errorf("got %v", err)
	}
}

// A broken manifest does not hide what else there is to say.
func TestReadBroken(t *testing.T) {
	dir := source(t)
	put(t, dir, "connector.json", "{")
	d, err := Read(dir)
	if err == nil || len(d.Report.Findings) == 0 {
		t.Errorf("got %v, %v", d.Report.Findings, err)
	}
}
