package runtimes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// host is a PATH of made-up programs; nothing of the system's is found.
type host struct {
	t   *testing.T
	dir string
}

func newHost(t *testing.T) host { return host{t, resolved(t, t.TempDir())} }

func resolved(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// script puts a shell program on the disk and returns its path.
func (h host) script(name, body string) string {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// python is an interpreter that says of itself what it is told to.
func (h host) python(name, version, pip string) string {
	path := filepath.Join(h.dir, name)
	prefix := filepath.Dir(filepath.Dir(path))
	return h.script(name, fmt.Sprintf(`echo '{"path": %q, "prefix": %q, "version": %q, "pip": %q, "piphome": %q, "abi": "x"}'`,
		path, prefix, version, pip, path))
}

func (h host) node(name, version string) string {
	path := filepath.Join(h.dir, name)
	return h.script(name, fmt.Sprintf(`echo '{"path": %q, "version": %q, "abi": "115"}'`, path, version))
}

// finder searches these directories only.
func (h host) finder(dirs ...string) *Finder {
	for i, dir := range dirs {
		dirs[i] = filepath.Join(h.dir, dir)
	}
	return &Finder{Path: strings.Join(dirs, ":"), system: []string{}, homeDir: filepath.Join(h.dir, "home")}
}

func find(t *testing.T, f *Finder, name string) Runtime {
	t.Helper()
	r, err := f.Find(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestShimIsAskedAndNeverHandedOut(t *testing.T) {
	h := newHost(t)
	real := h.python("versions/3.12.1/bin/python3.12", "3.12.1", "24.0")
	h.script("shims/python3", "echo 'version manager: using 3.12.1'\nexec "+real+` "$@"`)
	node := h.node("nodes/20/bin/node", "20.1.0")
	h.script("shims/node", "exec "+node+` "$@"`)

	f := h.finder("shims")
	if r := find(t, f, "python3"); r.Path != real || !slices.Equal(r.Prefixes, []string{filepath.Join(h.dir, "versions/3.12.1")}) {
		t.Errorf("python3 is %+v, want %s", r, real)
	}
	if r := find(t, f, "pip"); r.Path != real || r.Version != "24.0" {
		t.Errorf("pip is %+v, want the one of %s", r, real)
	}
	if r := find(t, f, "node"); r.Path != node {
		t.Errorf("node is %+v, want %s", r, node)
	}
}

// The first that can be used is taken; why the others cannot is said when there is none.
func TestChoice(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(h host)
		find string
		want string // the path below the host's directory; "" = missing
		says []string
	}{
		{"a shim whose version is not installed", func(h host) {
			h.script("a/node", "echo 'node: command not found' >&2; exit 127")
			h.node("b/node", "22.0.0")
		}, "node", "b/node", nil},
		{"too old", func(h host) { h.node("a/node", "16.20.0") }, "node", "",
			[]string{"Debian package nodejs", "18 or newer", "version 16.20.0 is too old"}},
		{"an answer that makes no sense", func(h host) { h.script("a/node", "echo hello") }, "node", "", []string{"makes no sense"}},
		{"one without its library, as of Debian's python3-minimal", func(h host) {
			h.script("a/python3", "printf 'Traceback (most recent call last):\\n  File, line 1\\nModuleNotFoundError: no json\\n' >&2; exit 1")
		}, "python3", "", []string{"does not work: exit status 1: ModuleNotFoundError: no json", "Debian package python3"}},
		{"nothing at all", func(h host) {}, "python3", "", []string{"Debian package python3", "3.10 or newer"}},
		// A connector must run with the interpreter its dependencies were installed with.
		{"the python that has pip", func(h host) {
			h.python("a/python3", "3.11.2", "")
			h.python("b/python3", "3.12.1", "24.0")
		}, "python3", "b/python3", nil},
		{"no pip anywhere", func(h host) { h.python("a/python3", "3.11.2", "") }, "python3", "a/python3", nil},
		{"no pip to install with", func(h host) { h.python("a/python3", "3.11.2", "") }, "pip", "",
			[]string{"Debian package python3-pip", "has pip none"}},
		{"only python, without the 3", func(h host) { h.python("a/python", "3.11.2", "23.0") }, "python3", "a/python", nil},
		{"node without npm", func(h host) { h.node("a/node", "20.0.0") }, "npm", "", []string{"Debian package npm"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t)
			c.make(h)
			r, err := h.finder("a", "b").Find(t.Context(), c.find)
			var missing *MissingError
			if c.want == "" {
				if !errors.As(err, &missing) {
					t.Fatalf("found %+v, %v, want a MissingError", r, err)
				}
				for _, word := range c.says {
					if !strings.Contains(err.Error(), word) {
						t.Errorf("%q does not say %q", err, word)
					}
				}
				return
			}
			if want := filepath.Join(h.dir, c.want); err != nil || r.Path != want {
				t.Errorf("found %s, %v, want %s", r.Path, err, want)
			}
		})
	}
}

func TestNPMIsAProgramOfNode(t *testing.T) {
	h := newHost(t)
	node := h.node("v20/bin/node", "20.1.0")
	cli := h.script("v20/lib/node_modules/npm/bin/npm-cli.js", "")
	h.write("v20/lib/node_modules/npm/package.json", `{"version": "10.2.0"}`)
	r := find(t, h.finder("v20/bin"), "npm")
	if want := []string{node, cli, "ci"}; !slices.Equal(r.Command("ci"), want) {
		t.Errorf("npm ci is %v, want %v", r.Command("ci"), want)
	}
	if r.Version != "10.2.0" || !slices.Equal(r.Prefixes, []string{filepath.Join(h.dir, "v20")}) {
		t.Errorf("npm is %+v", r)
	}
}

// A node without an npm beside it takes the one that the PATH leads to, through a link or a shim.
func TestNPMOfAnotherNode(t *testing.T) {
	for _, kind := range []string{"link", "shim"} {
		t.Run(kind, func(t *testing.T) {
			h := newHost(t)
			h.node("a/bin/node", "20.1.0")
			cli := h.script("v22/lib/node_modules/npm/bin/npm-cli.js", "")
			h.write("v22/lib/node_modules/npm/package.json", `{"version": "10.9.0"}`)
			if kind == "shim" {
				h.script("b/npm", "echo "+cli)
			} else if err := os.MkdirAll(filepath.Join(h.dir, "b"), 0o755); err != nil {
				t.Fatal(err)
			} else if err := os.Symlink(cli, filepath.Join(h.dir, "b/npm")); err != nil {
				t.Fatal(err)
			}
			r := find(t, h.finder("a/bin", "b"), "npm")
			want := []string{filepath.Join(h.dir, "a"), filepath.Join(h.dir, "v22")}
			if !slices.Equal(r.Args, []string{cli}) || !slices.Equal(r.Prefixes, want) {
				t.Errorf("npm is %+v, want %s with both prefixes", r, cli)
			}
		})
	}
}

func (h host) write(name, text string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// What was found is not asked again until its file changes, and what was not found is looked for each time.
func TestMemory(t *testing.T) {
	h := newHost(t)
	f := h.finder("bin")
	if _, err := f.Find(t.Context(), "node"); err == nil {
		t.Fatal("found a node that is not there")
	}
	h.node("bin/node", "20.1.0")
	find(t, f, "node")
	done, cancel := context.WithCancel(t.Context())
	cancel() // nothing can be asked with this one
	if r, err := f.Find(done, "node"); err != nil || r.Version != "20.1.0" {
		t.Errorf("the second question gave %v, %v, want the first answer", r, err)
	}
	h.node("bin/node", "20.1.0-longer")
	if r := find(t, f, "node"); r.Version != "20.1.0-longer" {
		t.Errorf("still says %s after an upgrade", r.Version)
	}
}

func TestPrefixesThatAreNeverShown(t *testing.T) {
	t.Setenv("HOME", "/srv/people/anna")
	for prefix, want := range map[string]bool{
		"/": false, "/root": false, "/home": false, "/home/anna": false, "/root/.local": false, "/srv/people/anna": false,
		"/opt": false, "/etc": false, "/home/anna/.local": false, "opt/python": false, "/opt/../etc": false,
		"/root/.pyenv/versions/3.11.7": true, "/home/anna/.nvm/versions/node/v20": true, "/opt/python": true,
	} {
		prefixes, refused := shown(prefix)
		if shown := refused == ""; shown != want || shown && !slices.Equal(prefixes, []string{prefix}) {
			t.Errorf("shown(%s) = %v, %q", prefix, prefixes, refused)
		}
	}
	if prefixes, refused := shown("/usr/local"); prefixes != nil || refused != "" {
		t.Errorf("/usr/local needs %v, %q: it is there anyway", prefixes, refused)
	}
}

// On the machine at hand: whatever is found works when called by the path that is handed out, with nothing around it.
func TestRealRuntimes(t *testing.T) {
	f := &Finder{}
	for name, args := range map[string][]string{"node": {"--version"}, "npm": {"--version"}, "python3": {"--version"}, "pip": {"--version"}, "sh": {"-c", "echo x"}} {
		t.Run(name, func(t *testing.T) {
			r, err := f.Find(t.Context(), name)
			var missing *MissingError
			if errors.As(err, &missing) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			argv := r.Command(args...)
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Dir, cmd.Env = t.TempDir(), []string{"HOME=" + t.TempDir()}
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), r.Version) {
				t.Errorf("%v printed %q, %v, want version %s", argv, out, err, r.Version)
			}
		})
	}
}

func TestUnknownName(t *testing.T) {
	if _, err := new(Finder).Find(t.Context(), "ruby"); err == nil || !strings.Contains(err.Error(), "ruby") {
		t.Errorf("Find(ruby) = %v", err)
	}
}
