package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// memberDir makes a directory that belongs to the connector's uid.
func memberDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "member")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, testUID, testUID); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The shape of every connector: its own directory writable, shipped files and a dependency tree read-only on top.
func TestMounts(t *testing.T) {
	h := openHost(t)
	member, shipped, tree := memberDir(t), filepath.Join(t.TempDir(), "index.js"), t.TempDir()
	write(t, shipped, "shipped")
	write(t, filepath.Join(tree, "left-pad/index.js"), "tree")
	if err := os.Chmod(tree, 0o777); err != nil { // the mount holds, not the mode
		t.Fatal(err)
	}
	s := shell(`set -e
		cat index.js node_modules/left-pad/index.js; echo kept >state
		! echo changed >index.js; ! rm index.js; ! touch node_modules/x; ! rm -r node_modules; ! mv node_modules y; ! mkdir node_modules/left-pad/z`)
	s.Dir = "/root/.skald/mcp/pad"
	s.Mounts = []Mount{ // children first: the order is not the caller's concern
		{Source: tree, Target: s.Dir + "/node_modules"},
		{Source: shipped, Target: s.Dir + "/index.js"},
		{Source: ".", Beneath: member, Target: s.Dir, Writable: true},
	}
	if got := succeed(t, h, s); got != "shippedtree" {
		t.Error(got)
	}
	if kept, err := os.ReadFile(filepath.Join(member, "state")); err != nil || string(kept) != "kept\n" {
		t.Errorf("%q, %v", kept, err)
	}
	checkOwner(t, filepath.Join(member, "node_modules"), member) // the mount points it made on the host
	checkOwner(t, filepath.Join(member, "index.js"), member)
}

func checkOwner(t *testing.T, path, like string) {
	t.Helper()
	got, err := os.Stat(path)
	if err != nil {
		t.Error(err)
		return
	}
	want, err := os.Stat(like)
	if err != nil || owner(got) != owner(want) {
		t.Errorf("%s belongs to %d, not %d (%v)", path, owner(got), owner(want), err)
	}
}

// A member's directory is hostile: what it holds leads nowhere.
func TestPlantedLinks(t *testing.T) {
	h := openHost(t)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "files/secret"), "s")
	link := func(t *testing.T, name, to string) string {
		dir := memberDir(t)
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for name, mounts := range map[string]func(*testing.T) []Mount{
		"source is a link": func(t *testing.T) []Mount {
			return []Mount{{Beneath: link(t, "files", outside), Source: "files", Target: "/root/f"}}
		},
		"source lies past one": func(t *testing.T) []Mount {
			return []Mount{{Beneath: link(t, "x", outside), Source: "x/files", Target: "/root/f"}}
		},
		"a link that stays inside": func(t *testing.T) []Mount {
			dir := link(t, "x", "real")
			write(t, filepath.Join(dir, "real/file"), "")
			return []Mount{{Beneath: dir, Source: "x", Target: "/root/f"}}
		},
		"mount point is a link": func(t *testing.T) []Mount {
			return []Mount{{Source: link(t, "x", outside), Target: "/root/m", Writable: true}, {Source: outside, Target: "/root/m/x"}}
		},
		"mount point lies past one": func(t *testing.T) []Mount {
			return []Mount{{Source: link(t, "x", outside), Target: "/root/m", Writable: true}, {Source: outside, Target: "/root/m/x/made/here"}}
		},
		"mount point is past the init's own root": func(t *testing.T) []Mount {
			return []Mount{{Source: link(t, "x", "/proc/1/root"+outside), Target: "/root/m", Writable: true}, {Source: outside, Target: "/root/m/x/made"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := shell("true")
			s.Mounts = mounts(t)
			p, err := h.Start(t.Context(), s)
			var refused *StartError
			if !errors.As(err, &refused) || refused.Layer != MountView {
				t.Errorf("error %v", err)
			}
			if err == nil {
				end(p)
			}
			if entries, _ := os.ReadDir(outside); len(entries) != 1 {
				t.Errorf("something was made outside: %v", entries)
			}
		})
	}
}

// An interpreter's prefix is shown at its own path, and only the parts that an interpreter reads.
func TestRuntimePrefix(t *testing.T) {
	h := openHost(t)
	prefix := filepath.Join(t.TempDir(), "versions/1.2.3")
	write(t, filepath.Join(prefix, "bin/tool"), "#!/bin/sh\necho ran\n")
	write(t, filepath.Join(prefix, "secret"), "s")
	if err := os.Chmod(filepath.Join(prefix, "bin/tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := shell(prefix + `/bin/tool; ls ` + prefix + `; touch ` + prefix + `/bin/x 2>/dev/null || echo read-only`)
	s.Runtimes = []string{prefix, "/usr"}
	if got := succeed(t, h, s); got != "ran\nbin\nread-only" {
		t.Error(got)
	}
}

// An interpreter that somebody installed below /root is reached there, though the private home covers it.
func TestRuntimeBelowHome(t *testing.T) {
	pythons, _ := filepath.Glob("/root/.pyenv/versions/*/bin/python3")
	if len(pythons) == 0 {
		t.Skip("no interpreter below /root")
	}
	prefix := strings.TrimSuffix(pythons[0], "/bin/python3")
	s := connector(pythons[0], "-c", "import sys; print(sys.base_prefix); open('/root/mine', 'w')")
	s.Runtimes = []string{prefix}
	if got := succeed(t, openHost(t), s); got != prefix {
		t.Error(got)
	}
}
