package delivery

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"majordomo/configs"
	"majordomo/sandbox"
)

func host(t *testing.T, driver, state string) *sandbox.Host {
	t.Helper()
	h, err := sandbox.New(sandbox.Options{StateDir: state, Driver: driver, IUnderstand: driver == "none"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// A machine that can confine can mount too. That was tried, and nothing is left of the trial.
func TestBindIsTaken(t *testing.T) {
	paths := configs.Paths{State: t.TempDir()}
	d := New(Options{Paths: paths, Host: host(t, "native", paths.State)})
	if c := d.Choose(t.Context()); c.Way != Bind {
		t.Errorf("%+v", c)
	}
	nothingLeft(t, paths)
}

// writableHost is a sandbox whose read-only mounts are not.
type writableHost struct{ Host }

func (h writableHost) Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error) {
	for i := range s.Mounts {
		s.Mounts[i].Writable = true
	}
	return h.Host.Start(ctx, s)
}

// emptyHost is one that shows something else.
type emptyHost struct{ Host }

func (h emptyHost) Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error) {
	s.Mounts = nil
	return h.Host.Start(ctx, s)
}

type brokenHost struct{ Host }

func (brokenHost) Start(context.Context, sandbox.Spec) (*sandbox.Process, error) {
	return nil, errors.New("no namespaces today")
}

// Whatever keeps mounts from working, things are copied, and it is said why.
func TestWithoutMounts(t *testing.T) {
	for name, c := range map[string]struct {
		driver string
		wrap   func(Host) Host
		why    string
	}{
		"the driver none":  {"none", func(h Host) Host { return h }, "no file view of their own here: the driver none confines nothing"},
		"mounts that lie":  {"native", func(h Host) Host { return writableHost{h} }, "was not what it should be"},
		"nothing is shown": {"native", func(h Host) Host { return emptyHost{h} }, "was not what it should be"},
		"no start":         {"native", func(h Host) Host { return brokenHost{h} }, "no namespaces today"},
	} {
		t.Run(name, func(t *testing.T) {
			paths := configs.Paths{State: t.TempDir()}
			d := New(Options{Paths: paths, Host: c.wrap(host(t, c.driver, paths.State))})
			got := d.Choose(t.Context())
			if got.Way == Bind || !strings.Contains(got.Reason, c.why) {
				t.Errorf("%+v", got)
			}
			nothingLeft(t, paths)
		})
	}
}

// lateHost is one on which nothing can be started at first.
type lateHost struct {
	Host
	late *bool
}

func (h lateHost) Ready() error {
	if *h.late {
		return errors.New("no engine yet")
	}
	return h.Host.Ready()
}

func (h lateHost) Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error) {
	if err := h.Ready(); err != nil {
		return nil, err
	}
	return h.Host.Start(ctx, s)
}

// What was found out while nothing could be started is found out anew.
func TestChosenAnew(t *testing.T) {
	paths, late := configs.Paths{State: t.TempDir()}, true
	d := New(Options{Paths: paths, Host: lateHost{host(t, "native", paths.State), &late}})
	if c := d.Choose(t.Context()); c.Way == Bind || !strings.Contains(c.Reason, "no engine yet") {
		t.Errorf("%+v", c)
	}
	underWay := filepath.Join(paths.Copies(), "new-1") // of a connector that starts meanwhile
	if err := os.MkdirAll(underWay, 0o700); err != nil {
		t.Fatal(err)
	}
	late = false
	if c := d.Choose(t.Context()); c.Way != Bind {
		t.Errorf("%+v", c)
	}
	if _, err := os.Stat(underWay); err != nil {
		t.Errorf("a copy that was being made is gone: %v", err)
	}
}

func nothingLeft(t *testing.T, paths configs.Paths) {
	t.Helper()
	for _, dir := range []string{paths.Deps(), paths.Copies()} {
		if left, err := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s holds %v (%v)", dir, left, err)
		}
	}
}

// A file system that cannot share blocks.
func TestCopyIsTaken(t *testing.T) {
	state := t.TempDir()
	mount(t, "tmpfs", state, "tmpfs")
	d := New(Options{Paths: configs.Paths{State: state}, Host: host(t, "none", t.TempDir())})
	if c := d.Choose(t.Context()); c.Way != Copy || !strings.Contains(c.Reason, "cannot share blocks among files") {
		t.Errorf("%+v", c)
	}
}

// File systems that can: made in a file, and mounted.
func TestReflink(t *testing.T) {
	for _, kind := range []string{"xfs", "btrfs"} {
		t.Run(kind, func(t *testing.T) {
			state := image(t, kind)
			paths := configs.Paths{State: state}
			d := New(Options{Paths: paths, Host: host(t, "none", t.TempDir())})
			if c := d.Choose(t.Context()); c.Way != Reflink || !strings.Contains(c.Reason, "the driver none") {
				t.Fatalf("%+v", c)
			}
			const size = 16 << 20
			tree := filepath.Join(state, "tree")
			write(t, filepath.Join(tree, "big"), strings.Repeat("0123456789abcdef", size/16), 0o444)
			before, copied := free(t, state), filepath.Join(state, "copied")
			if err := Duplicate(t.Context(), Reflink, tree, copied); err != nil {
				t.Fatal(err)
			}
			after := free(t, state)
			if used := before - after; used > size/8 {
				t.Errorf("the copy took %d bytes for %d", used, size)
			}
			checkApart(t, filepath.Join(tree, "big"), filepath.Join(copied, "big"))
			write(t, filepath.Join(state, "control"), strings.Repeat("fedcba9876543210", size/16), 0o444)
			if used := after - free(t, state); used < size/2 {
				t.Errorf("a file of %d bytes seems to take %d: this shows nothing", size, used)
			}
		})
	}
}

// checkApart writes to a copy, and sees that the original stays as it is.
func checkApart(t *testing.T, original, copied string) {
	t.Helper()
	var a, b unix.Stat_t
	if err := errors.Join(unix.Stat(original, &a), unix.Stat(copied, &b)); err != nil || a.Ino == b.Ino || b.Nlink != 1 {
		t.Errorf("%v: inode %d became inode %d with %d names", err, a.Ino, b.Ino, b.Nlink)
	}
	if err := os.Chmod(copied, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, []byte("evil"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(original); err != nil || strings.HasPrefix(string(data), "evil") {
		t.Errorf("the original was written to (%v)", err)
	}
}

func free(t *testing.T, dir string) int64 {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var st unix.Statfs_t
	if err := errors.Join(unix.Syncfs(int(f.Fd())), unix.Fstatfs(int(f.Fd()), &st)); err != nil {
		t.Fatal(err)
	}
	return int64(st.Bfree) * st.Bsize
}

// image makes a file system in a file and mounts it; where that cannot be had the test is skipped.
func image(t *testing.T, kind string) (dir string) {
	t.Helper()
	mkfs, err := exec.LookPath("mkfs." + kind)
	if err != nil {
		t.Skipf("%s is skipped: there is no mkfs.%s", kind, kind)
	}
	file := filepath.Join(t.TempDir(), "image")
	write(t, file, "", 0o600)
	if err := os.Truncate(file, 384<<20); err != nil { // sparse
		t.Fatal(err)
	}
	if out, err := exec.Command(mkfs, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir = t.TempDir()
	mount(t, file, dir, kind)
	return dir
}

// mount mounts for the time of the test.
func mount(t *testing.T, source, dir, kind string) {
	t.Helper()
	if out, err := exec.Command("mount", "-t", kind, source, dir).CombinedOutput(); err != nil {
		t.Skipf("%s is skipped: cannot mount it: %s", kind, strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}
