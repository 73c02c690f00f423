package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watched is a file with a counter of the changes that were told.
type watched struct {
	*testing.T
	*Watch
	file string
	told chan string
}

func newWatched(t *testing.T, content string) watched {
	file := filepath.Join(t.TempDir(), "config.toml")
	if content != "" {
		watched{T: t}.write(file, content)
	}
	return watching(t, file)
}

func watching(t *testing.T, file string) watched {
	w := watched{T: t, file: file, told: make(chan string, 100)}
	var err error
	w.Watch, err = File(w.file, func() {
		data, err := os.ReadFile(w.file)
		if err != nil {
			data = []byte("gone")
		}
		w.told <- string(data)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if len(w.told) != 0 {
			t.Errorf("told once too often: %q", <-w.told)
		}
	})
	return w
}

func (w watched) write(file, content string) {
	w.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		w.Fatal(err)
	}
}

func (w watched) hears(want string) {
	w.Helper()
	select {
	case got := <-w.told:
		if got != want {
			w.Errorf("told when it was %q, want %q", got, want)
		}
	case <-time.After(30 * time.Second):
		w.Fatalf("not told of %q", want)
	}
}

// The ways in which programs replace a file, each told once.
func TestWaysToWrite(t *testing.T) {
	for name, save := range map[string]func(w watched, content string){
		"in place": func(w watched, content string) { w.write(w.file, content) },
		"rename over it": func(w watched, content string) {
			w.write(w.file+".tmp", content)
			if err := os.Rename(w.file+".tmp", w.file); err != nil {
				w.Fatal(err)
			}
		},
		"a backup, then a new one": func(w watched, content string) {
			if err := os.Rename(w.file, w.file+"~"); err != nil {
				w.Fatal(err)
			}
			w.write(w.file, content)
		},
		"remove, then write in steps": func(w watched, content string) {
			if err := os.Remove(w.file); err != nil {
				w.Fatal(err)
			}
			f, err := os.Create(w.file)
			if err != nil {
				w.Fatal(err)
			}
			defer f.Close()
			for _, c := range content {
				fmt.Fprint(f, string(c))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWatched(t, "one")
			for _, content := range []string{"two", "three", "four"} {
				save(w, content)
				w.hears(content)
			}
		})
	}
}

// The same bytes fifty times, other files and other modes are no change; what comes after them is.
func TestNoChange(t *testing.T) {
	w := newWatched(t, "one")
	for range 50 {
		w.write(w.file, "one")
		w.write(w.file+".tmp", "another file")
		if err := os.Chmod(w.file, 0o640); err != nil {
			t.Fatal(err)
		}
		w.Look()
	}
	w.write(w.file, "two")
	w.hears("two")
}

// A file that is reached through links, as where configurations are managed by links: one of the file, changed in place, and a
// directory that is another at once, with whose change nothing happens to the name that is watched.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	for _, version := range []string{"one", "two", "three"} {
		if err := os.Mkdir(filepath.Join(dir, version), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, version, "config.toml"), []byte(version), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := errors.Join(os.Symlink(to, name+".new"), os.Rename(name+".new", name)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "config.toml")
	link("one", filepath.Join(dir, "current"))
	link("current/config.toml", file)
	w := watching(t, file)
	link("two", filepath.Join(dir, "current"))
	w.hears("two")
	w.write(filepath.Join(dir, "two", "config.toml"), "two, edited")
	w.hears("two, edited")
	link("three", filepath.Join(dir, "current"))
	w.hears("three")
	w.write(filepath.Join(dir, "three", "config.toml"), "three, edited")
	w.hears("three, edited")
}

// It may come, go, and come back. Who asks for a look gets one.
func TestComesAndGoes(t *testing.T) {
	w := newWatched(t, "")
	w.write(w.file, "one")
	w.hears("one")
	if err := os.Remove(w.file); err != nil {
		t.Fatal(err)
	}
	w.hears("gone")
	w.write(w.file, "one")
	w.Look()
	w.hears("one")
}
