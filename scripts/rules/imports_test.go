package rules

import (
	"slices"
	"strings"
	"testing"
)

// allowed says which rooms a package may import: the rooms in the list and what lies below them. A
// key stands for itself and what lies below it too, and the longest key that fits decides; but what
// lies below supervisor has to be named, so that nobody adds a part of it without saying what it is.
var allowed = map[string][]string{
	"configs":        {},
	"mcpclient":      {},
	"sandbox":        {},
	"sandbox/docker": {},
	"deps":           {"configs", "sandbox"},
	"install":        {"configs", "deps"},
	"install/author": {"install", "configs", "deps", "sandbox", "mcpclient"},

	// Organs remember, the core decides, limbs answer and ask.
	"supervisor/store":       slices.Concat(below, organs),
	"supervisor/vault":       slices.Concat(below, organs),
	"supervisor/ids":         slices.Concat(below, organs),
	"supervisor/members":     slices.Concat(below, organs),
	"supervisor/activations": slices.Concat(below, organs),
	"supervisor":             slices.Concat(below, organs),
	"supervisor/process":     slices.Concat(below, organs, core),
	"supervisor/gateway":     slices.Concat(below, organs, core),
	"supervisor/api":         slices.Concat(below, organs, core),
	"supervisor/metrics":     slices.Concat(below, organs, core),

	"cmd":     slices.Concat(below, []string{"supervisor"}),
	"scripts": slices.Concat(below, []string{"supervisor", "cmd"}),
}

var (
	below  = []string{"configs", "mcpclient", "sandbox", "deps", "install"}
	organs = []string{"supervisor/store", "supervisor/vault", "supervisor/ids", "supervisor/members", "supervisor/activations"}
	core   = []string{only + "supervisor"}
)

// only marks a package that is meant without what lies below it.
const only = "="

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

// The table cannot let rooms import each other in a circle: the compiler would say so. It must not
// let anything below the daemon know the daemon.
func TestNothingBelowKnowsTheDaemon(t *testing.T) {
	for _, key := range append(below, "install/author") {
		for _, imported := range allowed[key] {
			if within(strings.TrimPrefix(imported, only), "supervisor") {
				t.Errorf("the table lets %s import %s", key, imported)
			}
		}
	}
}

// room finds the longest key of the table that holds the package.
func room(path string) string {
	best := ""
	for key := range allowed {
		holds := within(path, key) && (key != "supervisor" || path == key)
		if holds && len(key) > len(best) {
			best = key
		}
	}
	return best
}

func within(path, key string) bool { return path == key || strings.HasPrefix(path, key+"/") }

func permitted(path string, keys []string) bool {
	for _, key := range keys {
		if exact, ok := strings.CutPrefix(key, only); path == exact || !ok && within(path, key) {
			return true
		}
	}
	return false
}
