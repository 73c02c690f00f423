package disk

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, dir string) *os.File {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fill(t *testing.T, path string, bytes int) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, make([]byte, bytes), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// small mounts a file system of its own, so that nobody else's writing disturbs.
func small(t *testing.T, megabytes int) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("%s skipped: only root can mount a small disk", t.Name())
	}
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Skipf("%s skipped: cannot mount a small disk: %v", t.Name(), err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	fill(t, filepath.Join(dir, "a"), 100<<10)
	fill(t, filepath.Join(dir, "sub/b"), 50<<10)
	if err := errors.Join(os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "a2")), // once, whatever its names
		os.Symlink("/usr", filepath.Join(dir, "usr")), unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	f := open(t, dir)
	defer f.Close()
	u, err := Measure(f, Limit{})
	if err != nil || u.Bytes < 150<<10 || u.Bytes > 250<<10 || u.Inodes != 5 || u.Deep {
		t.Errorf("%+v, %v", u, err)
	}
	if u, _ := Measure(f, Limit{Bytes: 60 << 10}); !strings.Contains(Limit{Bytes: 60 << 10}.Over(u), "limits.disk") {
		t.Errorf("%+v", u)
	}
	if u, _ := Measure(f, Limit{Inodes: 2}); u.Inodes != 3 {
		t.Errorf("it went on to %+v", u)
	}
	deep := dir
	for range maxDepth + 2 {
		deep = filepath.Join(deep, "d")
	}
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if u, _ := Measure(f, Limit{}); !u.Deep || (Limit{}).Over(u) == "" {
		t.Errorf("%+v", u)
	}
}

// watch returns a channel that gets the reason. The times are short, for there is nothing else to wait for.
func watch(t *testing.T, dir string, l Limit, o Options) <-chan string {
	t.Helper()
	o.Every = 5 * time.Millisecond
	said := make(chan string, 1)
	f := open(t, dir)
	now, err := Measure(f, l)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWatcher(o)
	e := w.Watch(f, l, now, func(why string) { said <- why })
	t.Cleanup(e.Close)
	return said
}

func await(t *testing.T, said <-chan string, want string) {
	t.Helper()
	select {
	case why := <-said:
		if !strings.Contains(why, want) {
			t.Errorf("said %q", why)
		}
	case <-time.After(30 * time.Second):
		t.Error("nothing was said")
	}
}

func TestTooManyBytes(t *testing.T) {
	dir := small(t, 256)
	said := watch(t, dir, Limit{Bytes: 8 << 20}, Options{Reserve: 1})
	fill(t, filepath.Join(dir, "x/big"), 12<<20)
	await(t, said, "limits.disk")
}

func TestTooManyFiles(t *testing.T) {
	dir := small(t, 64)
	said := watch(t, dir, Limit{Inodes: 300}, Options{Reserve: 1})
	for i := range 400 {
		fill(t, filepath.Join(dir, fmt.Sprint("d", i%7), fmt.Sprint(i)), 0)
	}
	await(t, said, "limits.disk_files")
}

// What others delete meanwhile hides what one writes from the file system's count; the look that comes by the clock finds it.
func TestHiddenByOthers(t *testing.T) {
	disk := small(t, 256)
	fill(t, filepath.Join(disk, "other/old"), 20<<20)
	dir := filepath.Join(disk, "own")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	said := watch(t, dir, Limit{Bytes: 8 << 20}, Options{Reserve: 1, Full: 10 * time.Millisecond})
	if err := os.Remove(filepath.Join(disk, "other/old")); err != nil {
		t.Fatal(err)
	}
	fill(t, filepath.Join(dir, "big"), 12<<20)
	await(t, said, "limits.disk")
}

// Of two connectors on a disk that fills, the one that fills it is stopped.
func TestReserve(t *testing.T) {
	disk := small(t, 64)
	quiet, loud := filepath.Join(disk, "quiet"), filepath.Join(disk, "loud")
	fill(t, filepath.Join(quiet, "old"), 8<<20)
	fill(t, filepath.Join(loud, "old"), 0)
	w := NewWatcher(Options{Every: 5 * time.Millisecond, Reserve: 1})
	said := map[string]chan string{}
	for _, dir := range []string{quiet, loud} {
		f := open(t, dir)
		now, err := Measure(f, Limit{})
		if err != nil {
			t.Fatal(err)
		}
		said[dir] = make(chan string, 1)
		t.Cleanup(w.Watch(f, Limit{}, now, func(why string) { said[dir] <- why }).Close)
	}
	w.Reserve(3 << 20)
	fill(t, filepath.Join(loud, "flood"), 54<<20)
	await(t, said[loud], "the disk is nearly full, and it wrote the most")
	select {
	case why := <-said[quiet]:
		t.Errorf("the other was stopped too: %s", why)
	default:
	}
}

// While nothing changes nothing is walked.
func TestIdleIsCheap(t *testing.T) {
	e := &Watched{limit: Limit{Bytes: 100 << 20, Inodes: 1000}, at: time.Now().Add(-time.Hour), space: space{used: 50 << 20, inodes: 10}}
	for why, c := range map[string]struct {
		now  space
		full time.Duration
		want bool
	}{
		"nothing changed, however long ago": {e.space, time.Minute, false},
		"a little changed, not long ago":    {space{used: 51 << 20, inodes: 11}, 2 * time.Hour, false},
		"a little changed, long ago":        {space{used: 51 << 20, inodes: 11}, time.Minute, true},
		"it may have half of the rest":      {space{used: 100 << 20, inodes: 11}, 2 * time.Hour, true},
		"it may have many files":            {space{used: 50 << 20, inodes: 600}, 2 * time.Hour, true},
	} {
		if got := e.due(c.now, c.full); got != c.want {
			t.Errorf("%s: %v", why, got)
		}
	}
}

// The kernel refuses the write, and files that were there before count too.
func TestQuota(t *testing.T) {
	dir := quotaDisk(t)
	own := filepath.Join(dir, "own")
	fill(t, filepath.Join(own, "sub/old"), 2<<20)
	f := open(t, own)
	defer f.Close()
	if err := SetQuota(f, 212345, Limit{Bytes: 4 << 20, Inodes: 10}); err != nil {
		t.Skipf("TestQuota skipped: %v", err)
	}
	// Root is not held to quotas.
	write := func(script string) string {
		cmd := exec.Command("/usr/bin/setpriv", "--reuid=212345", "--regid=212345", "--clear-groups", "--bounding-set=-all", "sh", "-c", script)
		cmd.Dir = own
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	if err := errors.Join(os.Chown(own, 212345, 212345), os.Chmod(own, 0o777), os.Chmod(filepath.Join(own, "sub"), 0o777)); err != nil {
		t.Fatal(err)
	}
	if out := write("head -c 3000000 /dev/zero >sub/big"); !strings.Contains(out, "quota") {
		t.Errorf("too many bytes: %q", out)
	}
	if out := write("rm -f sub/big; for i in 1 2 3 4 5 6 7 8 9 10; do : >f$i || break; done"); !strings.Contains(out, "quota") {
		t.Errorf("too many files: %q", out)
	}
}

// quotaDisk is a small ext4 with project quota.
func quotaDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("TestQuota skipped: only root can mount a disk with quotas")
	}
	image, dir := filepath.Join(t.TempDir(), "image"), t.TempDir()
	if err := os.Truncate(image, 0); err != nil {
		fill(t, image, 0)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", "-O", "quota,project", "-E", "quotatype=prjquota", image).CombinedOutput(); err != nil {
		t.Skipf("TestQuota skipped: %v %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop,prjquota", image, dir).CombinedOutput(); err != nil {
		t.Skipf("TestQuota skipped: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
