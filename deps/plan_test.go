package deps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs"
	"majordomo/configs/manifest"
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

func TestRequires(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "# nothing\n\n": false, "--index-url http://a.test\n": false, "-c constraints.txt": false,
		"mcp==1.0": true, "\ufeffmcp": true, "# x\n  mcp >= 1": true, "-r more.txt": true, "-rmore.txt": true, "-e .": true,
		"--requirement=more.txt": true,
	} {
		if got := requires(text); got != want {
			t.Errorf("requires(%q) = %v", text, got)
		}
	}
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
