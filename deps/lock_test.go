package deps

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"majordomo/configs"
)

func TestLockIsHeldByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key.lock")
	unlock, err := lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tryLock(path); !errors.Is(err, unix.EWOULDBLOCK) {
		t.Errorf("a second lock gave %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lock(gone, path); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting with a context that has ended gave %v", err)
	}
	waited := make(chan error)
	go func() {
		unlock, err := lock(t.Context(), path)
		if err == nil {
			unlock()
		}
		waited <- err
	}()
	unlock()
	if err := <-waited; err != nil {
		t.Errorf("the one that waited got %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is still there: %v", err)
	}
}

// A planted link must not make the daemon write elsewhere.
func TestLockThatIsALink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "key.lock")); err != nil {
		t.Fatal(err)
	}
	if _, err := lock(t.Context(), filepath.Join(dir, "key.lock")); err == nil {
		t.Error("a link was taken for a lock")
	}
}

// What somebody is building stays, and of what is finished the newest trees of each connector that is installed.
func TestRecover(t *testing.T) {
	paths := configs.Paths{State: t.TempDir()}
	for _, name := range []string{"aa.partial/node_modules/x", "bb.partial/x", "cc/node_modules/x", "cache/demo/npm/x", "cache/gone/npm/x"} {
		write(t, filepath.Join(paths.Deps(), name), "x")
	}
	write(t, filepath.Join(paths.Connector("demo"), "index.js"), "")
	for name, receipt := range map[string]string{
		"dd": `{"connector": "demo", "built": "2026-01-01T10:00:00Z"}`, "ee": `{"connector": "demo", "built": "2026-01-02T10:00:00Z"}`,
		"gg": `{"connector": "demo", "built": "2026-01-01T11:00:00Z"}`,
		"ff": `{"connector": "gone", "built": "2026-01-03T10:00:00Z"}`,
	} {
		write(t, filepath.Join(paths.Tree(name), "node_modules/x"), "x")
		write(t, filepath.Join(paths.Tree(name), receiptName), receipt)
	}
	if err := os.Chmod(filepath.Join(paths.Deps(), "aa.partial/node_modules"), 0o500); err != nil {
		t.Fatal(err)
	}
	unlock, err := lock(t.Context(), paths.Tree("bb")+lockSuffix)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := New(Options{Paths: paths}).Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"aa.partial": false, "bb.partial": true, "cc": true, "aa.lock": false,
		"dd": false, "ee/node_modules/x": true, "gg": true, "ff": false, "cache/demo/npm/x": true, "cache/gone": false,
	} {
		if _, err := os.Stat(filepath.Join(paths.Deps(), name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

// A daemon that is told to stop while it starts does not first clear up gigabytes.
func TestRecoverEndsWithItsContext(t *testing.T) {
	paths := configs.Paths{State: t.TempDir()}
	write(t, filepath.Join(paths.Deps(), "aa.partial/x"), "x")
	write(t, filepath.Join(paths.Tree("ff"), receiptName), `{"connector": "gone"}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := New(Options{Paths: paths}).Recover(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := New(Options{Paths: paths}).prune(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"aa.partial/x", "ff/" + receiptName} {
		if _, err := os.Stat(filepath.Join(paths.Deps(), name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
