package rules

import (
	"strings"
	"testing"
)

// allowed says which rooms a package may import. A key stands for itself and for what lies below
// it; the longest key that fits decides. A package may always import from its own key.
var allowed = map[string][]string{
	"configs":   {},
	"mcpclient": {},
	"sandbox":   {},
	"deps":      {"configs", "sandbox"},
	"install":   {"configs", "deps"},
	// Linting and conformance run a connector the way the daemon would.
	"install/author": {"install", "configs", "deps", "sandbox", "mcpclient"},

	// Organs remember: they know what is below the daemon, and each other.
	"supervisor/store":       organ,
	"supervisor/vault":       organ,
	"supervisor/members":     organ,
	"supervisor/activations": organ,
	// The core decides: it knows the organs.
	"supervisor": below("supervisor/store", "supervisor/vault", "supervisor/members", "supervisor/activations"),
	// Limbs answer and ask: they know the core, and never each other.
	"supervisor/process": limb,
	"supervisor/gateway": limb,
	"supervisor/api":     limb,

	"cmd":     {"cmd", "configs", "mcpclient", "sandbox", "deps", "install", "supervisor"},
	"scripts": {"cmd", "configs", "mcpclient", "sandbox", "deps", "install", "supervisor"},
}

var (
	organ = below("supervisor/store", "supervisor/vault", "supervisor/members", "supervisor/activations")
	limb  = append(below("supervisor="), organ...)
)

// below lists the rooms under supervisor, and more. A trailing = allows that package alone.
func below(more ...string) []string {
	return append([]string{"configs", "mcpclient", "sandbox", "deps", "install"}, more...)
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		key := room(p.path)
		if key == "" {
			t.Errorf("%s is in no room: add it to the table and to docs/architecture.md", p.path)
			continue
		}
		for _, imported := range p.imports {
			if !within(imported, key) && !permitted(imported, allowed[key]) {
				t.Errorf("%s imports %s: the table lets %s import only %v", p.path, imported, key, allowed[key])
			}
		}
	}
}

// room finds the longest key of the table that holds the package.
func room(path string) string {
	best := ""
	for key := range allowed {
		if within(path, key) && len(key) > len(best) {
			best = key
		}
	}
	return best
}

func within(path, key string) bool { return path == key || strings.HasPrefix(path, key+"/") }

func permitted(path string, keys []string) bool {
	for _, key := range keys {
		exact, only := strings.CutSuffix(key, "=")
		if path == exact || !only && within(path, key) {
			return true
		}
	}
	return false
}
