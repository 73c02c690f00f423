package deps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A tree that lost or changed something since is built again by the next daemon, and an undamaged one is not.
func TestDamagedTree(t *testing.T) {
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	l := npmLab(t, Options{}, r)
	p := connector(t, l.state, map[string]string{"package.json": depends("greeter", "1.0.0"), "package-lock.json": r.lockfile(map[string]string{"greeter": "1.0.0"})})
	tree, err := l.builder.Ensure(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	greeter := filepath.Join(tree.NodeModules, "greeter")
	entry := filepath.Join(greeter, "index.js")
	for name, damage := range map[string]func() error{
		"nothing":       func() error { return nil },
		"other bytes":   func() error { return os.WriteFile(entry, []byte("evil"), 0o444) },
		"a lost file":   func() error { return os.Remove(entry) },
		"one file more": func() error { return os.WriteFile(filepath.Join(greeter, "more.js"), nil, 0o444) },
		"a link":        func() error { os.Remove(entry); return os.Symlink("greet.js", entry) },
		"a mode":        func() error { return os.Chmod(entry, 0o555) },
	} {
		for _, path := range []string{greeter, entry} { // as who is not root would have to
			if err := os.Chmod(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(entry, 0o444); err != nil {
			t.Fatal(err)
		}
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		later := l.another(Options{}, "npm_config_registry="+r.URL+"/")
		seen := &recorder{Starter: l.host}
		later.o.Sandbox = seen
		if _, err := later.Ensure(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		if built := len(seen.specs) > 0; built != (name != "nothing") {
			t.Errorf("%s: built again: %v", name, built)
		}
		if text := read(t, entry); !strings.Contains(text, "hello") {
			t.Errorf("%s: it holds %q", name, text)
		}
	}
}
