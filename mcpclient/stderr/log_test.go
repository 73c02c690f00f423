package stderr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, o Options) *Log {
	t.Helper()
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func texts(lines []Line) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return strings.Join(all, " ")
}

// The last lines are kept, across processes.
func TestTail(t *testing.T) {
	l := open(t, Options{Lines: 3})
	if got := l.Tail(5); len(got) != 0 {
		t.Errorf("an empty log has %v", got)
	}
	l.Drain(strings.NewReader("1\n2\n"))
	l.Note("exit status 1")
	l.Drain(strings.NewReader("3\n"))
	for n, want := range map[int]string{0: "2 exit status 1 3", 1: "3", 2: "exit status 1 3", 99: "2 exit status 1 3"} {
		if got := texts(l.Tail(n)); got != want {
			t.Errorf("Tail(%d) = %q, want %q", n, got, want)
		}
	}
}

// A follower sees what was, what comes, and the end.
func TestFollow(t *testing.T) {
	l := open(t, Options{})
	l.Drain(strings.NewReader("old\nlast\n"))
	lines := make(chan string)
	var followers sync.WaitGroup
	followers.Go(func() {
		defer close(lines)
		for line := range l.Follow(t.Context(), 1) {
			lines <- line.Text
		}
	})
	if got := <-lines; got != "last" {
		t.Errorf("first %q", got)
	}
	for i := range 100 {
		want := fmt.Sprint(i)
		l.Note(want)
		if got := <-lines; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	l.Close()
	if line, more := <-lines; more {
		t.Errorf("%q after the end", line)
	}
	followers.Wait()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	other := open(t, Options{})
	other.Note("one")
	for range other.Follow(ctx, 5) {
		cancel() // the loop ends with its context
	}
	for range other.Follow(t.Context(), 5) {
		break // or when it wants to
	}
}

// The file has everything, is nobody else's to read, and does not grow for ever.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.log")
	// No more lines than can wait for the disk at once.
	l := open(t, Options{Path: path, MaxFile: 64 << 10, Secrets: []string{"hush-hush"}})
	l.Drain(strings.NewReader("first hush-hush\n" + strings.Repeat(strings.Repeat("x", 999)+"\n", 200) + "last\n"))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l.Note("too late")
	for _, name := range []string{path, path + ".1"} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(string(data), " last\n") || strings.Contains(string(data), "hush-hush") {
		t.Errorf("the file ends with %q, %v", data[max(0, len(data)-50):], err)
	}
	again := open(t, Options{Path: path})
	again.Note("appended")
	again.Close()
	if data, _ := os.ReadFile(path); !strings.Contains(string(data), " last\n") || !strings.HasSuffix(string(data), "Z appended\n") {
		t.Error("a second log did not append to the file")
	}
}

func TestFileThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link.log")
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, dir, filepath.Join(dir, "no", "such")} {
		if _, err := New(Options{Path: path}); err == nil || !strings.Contains(err.Error(), "cannot open the log "+path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

// Neither a full disk nor one that hangs makes the connector wait. That it is full is told once.
func TestDiskFull(t *testing.T) {
	told := make(chan error, 10_000)
	l := open(t, Options{Path: "/dev/full", Trouble: func(err error) { told <- err }})
	l.Drain(strings.NewReader(strings.Repeat("line\n", 10_000)))
	if got := texts(l.Tail(1)); got != "line" {
		t.Errorf("last line %q", got)
	}
	if err := <-told; !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("told %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if len(told) > 0 {
		t.Errorf("and then %v", <-told)
	}
}

// A disk that does not even open a file is an error after a while, and lets go
// of the file when it works again.
func TestDiskHangsFromTheStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo") // opening one for writing waits for a reader
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{Path: path}); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("error %v", err)
	}
	disk, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if n, err := disk.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestDiskHangs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	disk, err := os.OpenFile(path, os.O_RDWR, 0) // takes 64 KiB, and then no more
	if err != nil {
		t.Fatal(err)
	}
	l := open(t, Options{Path: path})
	l.Drain(strings.NewReader(strings.Repeat(strings.Repeat("x", 1023)+"\n", 2000)))
	written := make(chan string, 1)
	var reader sync.WaitGroup
	reader.Go(func() { // the disk works again, to the end
		var all strings.Builder
		for buf := make([]byte, 64<<10); ; {
			n, err := disk.Read(buf)
			if err != nil {
				return
			}
			all.Write(buf[:n])
			if strings.Contains(all.String(), "lines were lost)") && len(written) == 0 {
				written <- all.String()
			}
		}
	})
	l.Note("it works again")
	if got := <-written; !strings.Contains(got, "xxx\n") {
		t.Errorf("written %.100q", got)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	disk.Close()
	reader.Wait()
}
