package declared

import (
	"strings"
	"testing"
)

func parsed(t *testing.T, text string) PackageJSON {
	t.Helper()
	p, err := ParsePackageJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEmptyPackage(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `null`: true, `{"devDependencies": {"x": "1"}}`: true, `{"dependencies": {}}`: true,
		"\ufeff" + `{"dependencies": {"x": "1"}}`: false, `{"peerDependencies": {"x": {}}}`: false, `{"workspaces": ["a"]}`: false,
	} {
		if got := parsed(t, text).Empty(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestUnreadablePackage(t *testing.T) {
	for text, want := range map[string]string{
		"{\n": "line 2: it ends before", `[]`: "it is a list, want an object", `{"scripts": {"x": 1}}`: "what stands at /scripts/x has the wrong type",
	} {
		if _, err := ParsePackageJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Names that stand for something else, wherever that is said.
func TestRedirects(t *testing.T) {
	for name, c := range map[string]struct {
		root, lock string
		want       bool
	}{
		"a version":                {`{"dependencies": {"x": "^1"}}`, `{}`, false},
		"an alias":                 {`{"optionalDependencies": {"x": "npm:y@1"}}`, `{}`, true},
		"an address":               {`{"dependencies": {"x": "git+ssh://host/x"}}`, `{}`, true},
		"a repository":             {`{"dependencies": {"x": "somebody/x"}}`, `{}`, true},
		"an override":              {`{"overrides": {"a": {"x@1": "npm:y@1"}}}`, `{}`, true},
		"an override below":        {`{"overrides": {"x": {".": "npm:y@1"}}}`, `{}`, true},
		"an override's version":    {`{"overrides": {"x": "1.2.3"}}`, `{}`, false},
		"a dependency's alias":     {`{}`, `{"packages": {"node_modules/a": {"dependencies": {"x": "npm:y@1"}}}}`, true},
		"a dependency's version":   {`{}`, `{"packages": {"node_modules/a": {"dependencies": {"x": ">=1 <2 || 3"}}}}`, false},
		"a dependency's non-sense": {`{}`, `{"packages": {"node_modules/a": {"dependencies": {"x": 1}}}}`, false},
	} {
		lock, err := ParseLockfile([]byte(c.lock))
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed(t, c.root).Redirects("x") || lock.Redirects("x"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestFolder(t *testing.T) {
	for spec, want := range map[string]string{
		"file:lib": "lib", "file:./lib/": "lib", "./lib": "lib", "../x": "../x", "/opt/x": "/opt/x", "~/x": "~/x",
		"^1": "", "somebody/x": "", "npm:x@1": "",
	} {
		if place, is := Folder(spec); place != want || is != (want != "") {
			t.Errorf("%s: %q, %v", spec, place, is)
		}
	}
}
