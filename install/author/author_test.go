package author_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs/manifest"
	"majordomo/install/author"
)

// source is a small correct feed: relative path → content.
func source() map[string]string {
	return map[string]string{
		"index.json":                `["notes"]`,
		"notes/fragment.json":       `{"id":"notes","version":1,"type":"mcp_local","name":"Notes & more","files":[{"path":"old"}],"tags":[]}`,
		"notes/connector.json":      `{"id":"notes","version":1,"type":"mcp_local","mcp_config":{"command":"sh","args":["run.sh"]}}`,
		"notes/run.sh":              "#!/bin/sh\n",
		"notes/lib/a.sh":            "a",
		"notes/lib-b.sh":            "b",
		"notes/.DS_Store":           "x",
		"notes/lib/.DS_Store":       "x",
		"notes/compile.py":          "x",
		"notes/node_modules/a":      "x",
		"notes/lib/compile.py":      "shipped: only the one at the top is the compiler's",
		"notes/__pycache__/a":       "x",
		"stray/fragment.json":       "not in index.json, so it does not exist",
		"notes/.skald-install.lock": "x",
	}
}

func write(t *testing.T, files map[string]string) string { return author.WriteFiles(t, files) }

func TestCompile(t *testing.T) {
	dir := write(t, source())
	text, err := author.Compile(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := author.Compile(write(t, source()))
	if !bytes.Equal(text, again) {
		t.Error("two runs differ")
	}
	if !strings.HasPrefix(string(text), "{\n  \"connectors\": [\n    {\n      \"id\": \"notes\",\n      \"version\": 1,") ||
		!strings.HasSuffix(string(text), "}\n") || !strings.Contains(string(text), "Notes & more") {
		t.Errorf("not as the author wrote it:\n%s", text)
	}
	idx, err := manifest.ParseIndex(text)
	if err != nil {
		t.Fatal(err)
	}
	r := idx.Entries[0].Release([]byte(source()["notes/connector.json"]))
	if err := r.Installable(); err != nil || !r.ManifestVerified {
		t.Error(err, r.Problems)
	}
	var paths []string
	for _, f := range r.Files {
		paths = append(paths, f.Path)
	}
	if got := strings.Join(paths, " "); got != "connector.json lib-b.sh lib/a.sh lib/compile.py run.sh" {
		t.Errorf("files: %s", got)
	}
}

func TestCompileErrorsNameTheFile(t *testing.T) {
	big := strings.Repeat("x", manifest.MaxFile+1)
	for _, tt := range []struct {
		name  string
		files map[string]string // "" removes
		want  string
	}{
		{"no index", map[string]string{"index.json": ""}, "no index.json, as a feed would"},
		{"index of the wrong form", map[string]string{"index.json": `{}`}, "cannot read index.json: it is an object, want a list of connector ids"},
		{"bad id", map[string]string{"index.json": `["../x"]`}, "cannot use index.json"},
		{"id twice", map[string]string{"index.json": `["notes","notes"]`}, "notes is listed twice"},
		{"no fragment", map[string]string{"notes/fragment.json": ""}, "cannot read notes/fragment.json"},
		{"broken fragment", map[string]string{"notes/fragment.json": `{"id":"notes",}`}, "cannot read notes/fragment.json"},
		{"fragment of another", map[string]string{"notes/fragment.json": `{"id":"mail"}`}, "notes/fragment.json: id and folder must be"},
		{"no manifest", map[string]string{"notes/connector.json": ""}, "cannot read notes/connector.json"},
		{"broken manifest", map[string]string{"notes/connector.json": `{`}, "cannot compile notes/connector.json: it is not valid"},
		{"no entry file", map[string]string{"notes/run.sh": ""}, "notes/connector.json: mcp_config.args[0]"},
		{"wrong type in the fragment", map[string]string{"notes/fragment.json": `{"id":"notes","name":"a\u0007"}`}, "notes/fragment.json: name"},
		{"version", map[string]string{"notes/fragment.json": `{"id":"notes","version":2,"type":"mcp_local","tags":[]}`},
			"cannot compile notes: version is 2 in fragment.json and 1 in connector.json"},
		{"all that differs", map[string]string{"notes/fragment.json": `{"id":"notes","version":"1","type":"mcp_remote","scope":"user","tags":["a"]}`},
			`version is "1" in fragment.json and 1 in connector.json; type is "mcp_remote" in fragment.json and "mcp_local" in connector.json; say the same in both`},
		{"reserved name", map[string]string{"notes/auth/session.json": "{}"}, "auth/session.json"},
		{"too large", map[string]string{"notes/blob": big}, "cannot ship notes/blob"},
	} {
		files := source()
		for name, text := range tt.files {
			files[name] = text
			if text == "" {
				delete(files, name)
			}
		}
		if _, err := author.Compile(write(t, files)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// What is wrong with several connectors is said at once.
func TestCompileErrorsOfAll(t *testing.T) {
	files := source()
	files["index.json"] = `["notes","more","third"]`
	for _, id := range []string{"more", "third"} {
		files[id+"/fragment.json"], files[id+"/connector.json"] = `{"id":"`+id+`"}`, `{"id":"`+id+`","mcp_config":{"command":"npx"}}`
		files[id+"/run.sh"] = ""
	}
	_, err := author.Compile(write(t, files))
	for _, want := range []string{"more/connector.json: mcp_config.command", "more/connector.json: mcp_config.args[0]", "third/connector.json: mcp_config.command"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	files["more/fragment.json"], files["third/fragment.json"] = "{", "{"
	_, err = author.Compile(write(t, files))
	for _, want := range []string{"cannot read more/fragment.json", "cannot read third/fragment.json"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// What the guide wants identical is compared as JSON, and where only one document says it, nothing contradicts it.
func TestCompileAgreement(t *testing.T) {
	for _, tt := range []struct{ name, key, fragment, manifest, want string }{
		{"spaces and order of names", "auth", `{"type":"oauth2","provider":"x"}`, `{ "provider": "x", "type": "oauth2" }`, ""},
		{"escapes", "scope", `"us\u0065r"`, `"user"`, ""},
		{"only in one", "requires", `null`, `["NODE"]`, ""},
		{"none and an empty list", "requires", `null`, `[]`, ""},
		{"an empty list and a full one", "requires", `["NODE"]`, `[]`, `requires is ["NODE"] in fragment.json and [] in connector.json`},
		{"order of a list", "tags", `["a","b"]`, `["b","a"]`, `tags is ["a","b"]`},
		{"auth", "auth", `{"type":"qr"}`, `{"type":"none"}`, `auth is {"type":"qr"} in fragment.json and {"type":"none"}`},
		{"date", "version_release_date", `"2026-01-02"`, `"2026-01-03"`, `version_release_date is "2026-01-02"`},
	} {
		files := source()
		for name, value := range map[string]string{"notes/fragment.json": tt.fragment, "notes/connector.json": tt.manifest} {
			files[name] = strings.TrimSuffix(strings.Replace(files[name], `,"tags":[]`, "", 1), "}") + `,"` + tt.key + `":` + value + "}"
		}
		_, err := author.Compile(write(t, files))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestCompileRefusesLinks(t *testing.T) {
	dir := write(t, source())
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "notes/passwd")); err != nil {
		t.Fatal(err)
	}
	if _, err := author.Compile(dir); err == nil || !strings.Contains(err.Error(), "notes/passwd") {
		t.Error(err)
	}
}

func TestVerify(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(dir string) error
		want   string // "" means fresh
	}{
		{"fresh", func(string) error { return nil }, ""},
		{"file changed", func(d string) error { return os.WriteFile(d+"/notes/run.sh", []byte("x"), 0o644) }, "notes/run.sh changed"},
		{"file new", func(d string) error { return os.WriteFile(d+"/notes/new.sh", []byte("x"), 0o644) }, "notes/new.sh is new"},
		{"file gone", func(d string) error { return os.Remove(d + "/notes/lib-b.sh") }, "notes/lib-b.sh is gone"},
		{"fragment", func(d string) error {
			return os.WriteFile(d+"/notes/fragment.json", []byte(`{"id":"notes","version":1,"type":"mcp_local","tags":["a"]}`), 0o644)
		}, "notes: tags changed; notes: name changed"},
		{"connector gone", func(d string) error { return os.WriteFile(d+"/index.json", []byte(`[]`), 0o644) }, "notes is gone"},
		{"formatting", func(d string) error {
			text, _ := os.ReadFile(d + "/connectors.json")
			return os.WriteFile(d+"/connectors.json", bytes.TrimSpace(text), 0o644)
		}, "formatting differs"},
		{"broken", func(d string) error { return os.WriteFile(d+"/connectors.json", []byte(`{`), 0o644) }, "not valid JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, source())
			text, err := author.Compile(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.WriteFile(dir+"/connectors.json", text, 0o644), tt.change(dir)); err != nil {
				t.Fatal(err)
			}
			err = author.Verify(dir)
			var stale *author.StaleError
			if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &stale) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	if err := author.Verify(write(t, source())); err == nil || !strings.Contains(err.Error(), "cannot read connectors.json") {
		t.Error(err)
	}
}
