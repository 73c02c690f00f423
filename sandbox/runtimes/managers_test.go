package runtimes

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A service has a short PATH. What the version managers of its own user have installed is found all the same, the newest first,
// with the npm or pip that comes with it; a shim is not needed for that, and none is handed out.
func TestVersionManagers(t *testing.T) {
	for _, prefix := range []string{
		".nvm/versions/node/v%", ".local/share/fnm/node-versions/v%/installation", ".volta/tools/image/node/%", ".asdf/installs/nodejs/%",
		".local/share/mise/installs/node/%", ".nodenv/versions/%",
	} {
		t.Run(prefix, func(t *testing.T) {
			h := newHost(t)
			at := func(version string) string { return filepath.Join("home", replaced(prefix, version)) }
			for _, version := range []string{"9.11.2", "20.9.0", "20.11.1", "16.20.0"} {
				h.node(at(version)+"/bin/node", version)
			}
			cli := h.script(at("20.11.1")+"/lib/node_modules/npm/bin/npm-cli.js", "")
			h.write(at("20.11.1")+"/lib/node_modules/npm/package.json", `{"version": "10.2.0"}`)
			want := filepath.Join(h.dir, at("20.11.1"))
			if r := find(t, h.finder("usr"), "node"); r.Path != want+"/bin/node" || !slices.Equal(r.Prefixes, []string{want}) {
				t.Errorf("node is %+v, want that of %s", r, want)
			}
			if r := find(t, h.finder("usr"), "npm"); !slices.Equal(r.Args, []string{cli}) {
				t.Errorf("npm is %+v, want %s", r, cli)
			}
		})
	}
	for _, prefix := range []string{".pyenv/versions/%", ".asdf/installs/python/%", ".local/share/mise/installs/python/%", ".local/share/uv/python/cpython-%-linux-x86_64-gnu"} {
		t.Run(prefix, func(t *testing.T) {
			h := newHost(t)
			for _, version := range []string{"3.9.18", "3.12.1"} {
				h.python(filepath.Join("home", replaced(prefix, version), "bin/python3"), version, "24.0")
			}
			want := filepath.Join(h.dir, "home", replaced(prefix, "3.12.1"), "bin/python3")
			if r := find(t, h.finder("usr"), "pip"); r.Path != want {
				t.Errorf("pip is %+v, want that of %s", r, want)
			}
		})
	}
}

// What the PATH has wins, and what the system has before that.
func TestVersionManagersComeLast(t *testing.T) {
	h := newHost(t)
	h.node("home/.nvm/versions/node/v24.0.0/bin/node", "24.0.0")
	node := h.node("bin/node", "18.19.0")
	if r := find(t, h.finder("bin"), "node"); r.Path != node {
		t.Errorf("node is %+v", r)
	}
}

func replaced(prefix, version string) string { return strings.Replace(prefix, "%", version, 1) }
