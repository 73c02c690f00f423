package delivery

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// Files, links and directories are copied; the copies are new files that nobody may write to.
func TestDuplicate(t *testing.T) {
	for _, way := range []Way{Copy, Reflink} { // on this file system the second may have to do as the first
		from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
		write(t, filepath.Join(from, "a/run"), "#!/bin/sh\n", 0o755)
		write(t, filepath.Join(from, "a/b/text"), "text", 0o640)
		write(t, filepath.Join(from, "empty"), "", 0o644)
		if err := os.Symlink("../a/run", filepath.Join(from, "a/link")); err != nil {
			t.Fatal(err)
		}
		if err := Duplicate(t.Context(), way, from, to); err != nil {
			t.Fatal(err)
		}
		for name, mode := range map[string]fs.FileMode{
			".": fs.ModeDir | 0o555, "a": fs.ModeDir | 0o555, "a/b": fs.ModeDir | 0o555, "a/run": 0o555, "a/b/text": 0o444, "empty": 0o444,
		} {
			if info, err := os.Lstat(filepath.Join(to, name)); err != nil || info.Mode() != mode {
				t.Errorf("%s: %s is %v, want %v (%v)", way, name, info.Mode(), mode, err)
			}
		}
		if text, err := os.Readlink(filepath.Join(to, "a/link")); err != nil || text != "../a/run" {
			t.Errorf("%s: the link says %q (%v)", way, text, err)
		}
		checkApart(t, filepath.Join(from, "a/b/text"), filepath.Join(to, "a/b/text"))
		if err := Duplicate(t.Context(), way, filepath.Join(from, "empty"), filepath.Join(to, "a/run")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("over what is there: %v", err)
		}
	}
}

func TestDuplicateRefuses(t *testing.T) {
	from := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(from, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Duplicate(t.Context(), Copy, from, filepath.Join(t.TempDir(), "to")); err == nil {
		t.Error("a pipe was copied")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Duplicate(ended, Copy, from, filepath.Join(t.TempDir(), "to")); !errors.Is(err, context.Canceled) {
		t.Errorf("a copy that nobody waits for: %v", err)
	}
}
