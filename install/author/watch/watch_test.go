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

const long = time.Minute // for what has to come

func start(t *testing.T) (string, *Watch) {
	dir := filepath.Join(t.TempDir(), "notes")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "server.py"), "1")
	w, err := Dir(dir, func(name string) bool { return name == ".git" || name == "4913" })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return dir, w
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// told waits until a change was told.
func told(t *testing.T, w *Watch) {
	t.Helper()
	select {
	case err := <-w.Changed:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(long):
		t.Fatal("nothing was told")
	}
}

// settle waits until nothing is told any more, and counts.
func settle(w *Watch) (n int) {
	for {
		select {
		case <-w.Changed:
			n++
		case <-time.After(4 * quiet):
			return n
		}
	}
}

func TestSaves(t *testing.T) {
	for name, save := range map[string]func(t *testing.T, dir string){
		"written over": func(t *testing.T, dir string) { write(t, filepath.Join(dir, "server.py"), "2") },
		"renamed over": func(t *testing.T, dir string) { write(t, dir+"/.new", "2"); rename(t, dir+"/.new", dir+"/server.py") },
		"moved and created": func(t *testing.T, dir string) {
			rename(t, dir+"/server.py", dir+"/old")
			write(t, dir+"/server.py", "2")
		},
		"removed": func(t *testing.T, dir string) { remove(t, dir+"/server.py") },
		"from elsewhere": func(t *testing.T, dir string) {
			write(t, dir+"-new", "2")
			rename(t, dir+"-new", dir+"/server.py")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, w := start(t)
			save(t, dir)
			told(t, w)
		})
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
}

// A sub-folder is watched although its contents came faster than the watch.
func TestNewFolders(t *testing.T) {
	dir, w := start(t)
	deep := filepath.Join(dir, "a", "b", "c")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(deep, "x.py"), "1")
	told(t, w)
	settle(w)
	write(t, filepath.Join(deep, "x.py"), "2")
	told(t, w)
}

// The folder itself may be taken away and come back, as it does under version control.
func TestFolderReplaced(t *testing.T) {
	dir, w := start(t)
	rename(t, dir, dir+"-old")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "server.py"), "2")
	told(t, w)
	settle(w)
	write(t, filepath.Join(dir, "server.py"), "3")
	told(t, w)
}

func TestWhatIsPassingIsNotTold(t *testing.T) {
	dir, w := start(t)
	if err := os.MkdirAll(filepath.Join(dir, ".git", "objects"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".git", "index"), "1")
	write(t, filepath.Join(dir, "4913"), "")
	write(t, dir+".txt", "a neighbour")
	if n := settle(w); n != 0 {
		t.Errorf("told %d times of files that are no part of the connector", n)
	}
}

// A storm is one change, or a few where it pauses.
func TestStorm(t *testing.T) {
	dir, w := start(t)
	for i := range 1000 {
		write(t, filepath.Join(dir, fmt.Sprintf("f%d.py", i%50)), fmt.Sprint(i))
	}
	told(t, w)
	if n := settle(w); n > 20 {
		t.Errorf("1000 writes were told as %d changes", n+1)
	}
}

// What never rests is not looked at, for it would be seen half written, and that is told.
func TestUnrest(t *testing.T) {
	dir, w := start(t)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(quiet / 10)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-tick.C:
				_ = os.WriteFile(filepath.Join(dir, "log.txt"), fmt.Append(nil, i), 0o644)
			}
		}
	}()
	for limit, said := time.After(long), false; !said; { // a writer that stumbles is a folder at rest
		select {
		case err := <-w.Changed:
			restless, ok := errors.AsType[*Restless](err)
			said = ok && filepath.Base(restless.Name) == "log.txt"
		case <-limit:
			t.Error("nothing was told")
			said = true
		}
	}
	close(stop)
	<-stopped
	told(t, w)
}
