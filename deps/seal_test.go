package deps

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"majordomo/configs"
)

// What a build leaves is nobody's word: whatever lies there, the tree holds files, directories and links that stay inside.
func TestSeal(t *testing.T) {
	paths := configs.Paths{State: t.TempDir()}
	j := &job{Builder: New(Options{Paths: paths}), plan: &plan{key: "k"}, dir: paths.Tree("k") + partialSuffix}
	j.plan.npm.Path = "/usr/bin/node"
	for name, mode := range map[string]fs.FileMode{
		"node_modules/a/index.js": 0o600, "node_modules/a/run": 0o755, "node_modules/a/root": 0o4755 | fs.ModeSetuid,
		"node_modules/b/closed/x": 0o000, "auth/secret": 0o600, "index.js": 0o644, "tree.json": 0o644,
	} {
		if err := os.Chmod(write(t, filepath.Join(j.dir, name), "x"), mode); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{
		".bin/run": "../a/run", "own": "../lib/own", // links among packages, and to the connector's own folders
		"away": "../../../etc", "shadow": "/etc/shadow", "a/up": "../../../x", // out of the tree
	}
	for name, target := range links {
		path := filepath.Join(j.dir, "node_modules", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(j.dir, "node_modules/pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(j.dir, "node_modules/b/closed"), 0o100); err != nil {
		t.Fatal(err)
	}
	if err := j.seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"node_modules d 555", "node_modules/.bin d 555", "node_modules/.bin/run l", "node_modules/a d 555",
		"node_modules/a/index.js f 444", "node_modules/a/root f 555", "node_modules/a/run f 555", "node_modules/b d 555",
		"node_modules/b/closed d 555", "node_modules/b/closed/x f 444", "node_modules/own l", "tree.json f 444",
	}
	if got := listing(t, paths.Tree("k")); !slices.Equal(got, want) {
		t.Errorf("the tree is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, name := range []string{"away", "shadow", "a/up", "pipe"} {
		if !strings.Contains(strings.Join(j.warnings, " "), "node_modules/"+name) {
			t.Errorf("nothing is said of %s in %q", name, j.warnings)
		}
	}
	if _, err := os.Stat(j.dir); err == nil {
		t.Error("the partial tree is still there")
	}
	if err := Remove(paths.Tree("k")); err != nil {
		t.Errorf("a tree cannot be removed: %v", err)
	}
}

// listing names everything below dir with its kind and mode.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		switch mode := info.Mode(); {
		case mode.IsDir():
			all = append(all, rel+" d "+octal(mode))
		case mode.IsRegular():
			all = append(all, rel+" f "+octal(mode))
		default:
			all = append(all, rel+" "+strings.ToLower(mode.String()[:1]))
		}
		if uid := int(info.Sys().(*syscall.Stat_t).Uid); uid != os.Getuid() {
			t.Errorf("%s belongs to uid %d", rel, uid)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMissingPart(t *testing.T) {
	paths := configs.Paths{State: t.TempDir()}
	j := &job{Builder: New(Options{Paths: paths}), plan: &plan{key: "k"}, dir: paths.Tree("k") + partialSuffix}
	j.plan.npm.Path = "/usr/bin/node"
	j.plan.root.Dependencies = map[string]any{"x": "1"}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	// A script put a link in the place of the directory.
	if err := os.Symlink("/etc", filepath.Join(j.dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := j.seal(t.Context()); err == nil || !strings.Contains(err.Error(), "left no node_modules") {
		t.Errorf("got %v", err)
	}
}

func octal(mode fs.FileMode) string { return strconv.FormatUint(uint64(mode.Perm()), 8) }
