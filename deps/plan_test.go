package deps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/sandbox/runtimes"
)

// connector puts an installed package on the disk.
func connector(t *testing.T, dir string, files map[string]string) Package {
	t.Helper()
	p := Package{ID: "demo", Dir: filepath.Join(dir, "connectors/demo")}
	if err := os.RemoveAll(p.Dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(p.Dir, name), text)
		p.Files = append(p.Files, manifest.File{Path: name})
	}
	return p
}

// A package that asks for nothing gets no tree, and no tool is looked for.
func TestNothingToInstall(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no dependency file":    {"index.js": "x"},
		"only a module type":    {"package.json": `{"type": "module", "scripts": {"postinstall": "exit 1"}}`},
		"only dev dependencies": {"package.json": `{"devDependencies": {"x": "1"}}`},
		"only comments":         {"requirements.txt": "# none\n"},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			b := New(Options{Paths: configs.Paths{State: state}})
			tree, err := b.Ensure(t.Context(), connector(t, state, files), nil)
			if err != nil || tree.Dir != "" || tree.NodeModules != "" || tree.PyDeps != "" {
				t.Errorf("got %+v, %v", tree, err)
			}
		})
	}
}

func TestKeyChangesWithWhatMatters(t *testing.T) {
	tool(t, "npm")
	files := map[string]string{"package.json": `{"dependencies": {"x": "1"}}`, "index.js": "1", "icon.png": "1", "connector.json": "{}"}
	keyOf := func(o Options, change func(dir string, files map[string]string) Package) string {
		t.Helper()
		state := t.TempDir()
		changed := map[string]string{}
		for name, text := range files {
			changed[name] = text
		}
		p := change(state, changed)
		o.Paths = configs.Paths{State: state}
		pl, err := New(o).plan(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return pl.key
	}
	plain := func(dir string, files map[string]string) Package { return connector(t, dir, files) }
	base := keyOf(Options{}, plain)
	for _, c := range []struct {
		name   string
		same   bool
		o      Options
		change func(dir string, files map[string]string) Package
	}{
		{"nothing", true, Options{}, plain},
		// Icons and the manifest stay on the host.
		{"an icon", true, Options{}, func(dir string, files map[string]string) Package {
			files["icon.png"], files["connector.json"] = "2", `{"a": 1}`
			return connector(t, dir, files)
		}},
		{"a file's bytes", false, Options{}, func(dir string, files map[string]string) Package {
			files["index.js"] = "2"
			return connector(t, dir, files)
		}},
		{"a file's name", false, Options{}, func(dir string, files map[string]string) Package {
			delete(files, "index.js")
			files["index.mjs"] = "1"
			return connector(t, dir, files)
		}},
		{"a file's mode", false, Options{}, func(dir string, files map[string]string) Package {
			p := connector(t, dir, files)
			if err := os.Chmod(filepath.Join(p.Dir, "index.js"), 0o755); err != nil {
				t.Fatal(err)
			}
			return p
		}},
		{"the scripts policy", false, Options{Scripts: configs.Scripts{Deny: true}}, plain},
	} {
		if got := keyOf(c.o, c.change); (got == base) != c.same {
			t.Errorf("%s: key is the same: %v", c.name, got == base)
		}
	}
}

// Another interpreter, another version of it, or another ABI under the same version leads to another tree.
func TestKeyChangesWithTheTools(t *testing.T) {
	b := New(Options{})
	base := plan{
		node: runtimes.Runtime{Name: "node", Path: "/usr/bin/node", Version: "20.1.0", ABI: "115 linux x64 glibc 2.36"},
		npm:  runtimes.Runtime{Name: "npm", Path: "/usr/bin/node", Version: "10.0.0", ABI: "115 linux x64 glibc 2.36"},
		pip:  runtimes.Runtime{Name: "pip", Path: "/usr/bin/python3.11", Version: "23.0.1", ABI: "cpython-311 linux-x86_64 glibc 2.36"},
	}
	keys := map[string]string{b.key(&base): "nothing"}
	for name, change := range map[string]func(*plan){
		"node's place":     func(p *plan) { p.node.Path = "/opt/node/bin/node" },
		"node's version":   func(p *plan) { p.node.Version = "22.0.0" },
		"node's ABI":       func(p *plan) { p.node.ABI = "127 linux x64 glibc 2.36" },
		"the libc":         func(p *plan) { p.node.ABI = "115 linux x64 musl" },
		"npm's version":    func(p *plan) { p.npm.Version = "11.0.0" },
		"python's place":   func(p *plan) { p.pip.Path = "/usr/bin/python3.13" },
		"pip's version":    func(p *plan) { p.pip.Version = "25.0" },
		"python's ABI":     func(p *plan) { p.pip.ABI = "cpython-313 linux-x86_64 glibc 2.41" },
		"the processor":    func(p *plan) { p.pip.ABI = "cpython-311 linux-aarch64 glibc 2.36" },
		"no python at all": func(p *plan) { p.pip = runtimes.Runtime{} },
	} {
		changed := base
		change(&changed)
		key := b.key(&changed)
		if other, taken := keys[key]; taken {
			t.Errorf("%s leads to the same tree as %s", name, other)
		}
		keys[key] = name
	}
}

// A tool that is not there is named with the Debian package that brings it.
func TestMissingTool(t *testing.T) {
	b := New(Options{})
	err := b.failed(t.Context(), Package{ID: "demo"}, &runtimes.MissingError{Name: "pip", Package: "python3-pip", Minimum: "22"})
	if want := "cannot install the dependencies of demo: prepare: cannot find pip 22 or newer: install the Debian package python3-pip"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}

// Without lengths before them, strings run into each other: {a: "x", b: "y"} and {a: "x\0b\0y"} would be one.
func TestFieldsDoNotRunIntoEachOther(t *testing.T) {
	sum := func(all ...string) string {
		h := newFields()
		h.add(all...)
		return string(h.Sum(nil))
	}
	if sum("a", "x", "b", "y") == sum("a", "x\x00b\x00y") || sum("ab", "c") == sum("a", "bc") || sum("a", "") == sum("a") {
		t.Error("two different lists have one hash")
	}
}

// The package is the daemon's, but a link in it is still followed to nowhere.
func TestLinksInThePackageAreRefused(t *testing.T) {
	state := t.TempDir()
	p := connector(t, state, map[string]string{"package.json": `{"dependencies": {"x": "1"}}`, "index.js": ""})
	if err := os.Remove(filepath.Join(p.Dir, "index.js")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/shadow", filepath.Join(p.Dir, "index.js")); err != nil {
		t.Fatal(err)
	}
	_, err := New(Options{Paths: configs.Paths{State: state}}).Ensure(t.Context(), p, nil)
	if err == nil || !strings.Contains(err.Error(), "index.js is not a regular file") {
		t.Errorf("got %v", err)
	}
}

func TestUnreadablePackageJSON(t *testing.T) {
	state := t.TempDir()
	p := connector(t, state, map[string]string{"package.json": `{"dependencies": `})
	_, err := New(Options{Paths: configs.Paths{State: state}}).Ensure(t.Context(), p, nil)
	if err == nil || !strings.Contains(err.Error(), "demo: prepare: cannot read package.json") || strings.Contains(err.Error(), " 0s") {
		t.Errorf("got %v", err)
	}
}
