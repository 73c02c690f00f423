package deps

import (
	"maps"
	"testing"

	"majordomo/configs"
)

// The code of a connector under development changes all the time; its dependencies are built anew only when they can differ.
func TestDeclaredOnly(t *testing.T) {
	tool(t, "npm")
	tool(t, "pip")
	npm := func(text string) map[string]string {
		return map[string]string{"package.json": text, "index.js": "1", "x/index.js": "1", "x/package.json": "{}"}
	}
	pip := func(text string) map[string]string {
		return map[string]string{"requirements.txt": text, "server.py": "1", "x/setup.py": "1", "more.txt": "x==1\n"}
	}
	for name, c := range map[string]struct {
		files        map[string]string
		change, text string
		same         bool
	}{
		"code of npm":         {npm(`{"main": "./index.js", "scripts": {"test": "node x"}, "dependencies": {"x": "^1"}}`), "index.js", "2", true},
		"code of pip":         {pip("x==1 # see https://x.test\n"), "server.py", "2", true},
		"a new file":          {pip("x==1\n"), "new.py", "2", true},
		"package.json":        {npm(`{"dependencies": {"x": "^1"}}`), "package.json", `{"dependencies": {"x": "^2"}}`, false},
		"requirements":        {pip("x==1\n"), "requirements.txt", "x==2\n", false},
		"a lockfile appears":  {npm(`{"dependencies": {"x": "^1"}}`), "package-lock.json", `{}`, false},
		"an own script":       {npm(`{"dependencies": {"x": "^1"}, "scripts": {"postinstall": "node index.js"}}`), "index.js", "2", false},
		"a path of npm":       {npm(`{"dependencies": {"x": "file:x"}}`), "x/index.js", "2", false},
		"a bare path of npm":  {npm(`{"dependencies": {"x": "./x"}}`), "x/index.js", "2", false},
		"a path of pip":       {pip("./x\n"), "x/setup.py", "2", false},
		"other requirements":  {pip("-r more.txt\n"), "more.txt", "x==2", false},
		"compiled by default": {map[string]string{"package.json": `{"dependencies": {"x": "1"}}`, "binding.gyp": "{}", "a.cc": "1"}, "a.cc", "2", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := New(Options{Paths: configs.Paths{State: t.TempDir()}})
			key := func() string {
				p := connector(t, b.o.Paths.State, c.files)
				p.DeclaredOnly = true
				pl, err := b.plan(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				return pl.key
			}
			before := key()
			c.files = maps.Clone(c.files)
			c.files[c.change] = c.text
			if after := key(); (before == after) != c.same {
				t.Errorf("the tree is the same: %v, want %v", before == after, c.same)
			}
		})
	}
}
