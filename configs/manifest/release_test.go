package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"majordomo/configs/digest"
)

type doc map[string]any

// with returns a copy of d with some members replaced; nil removes one.
func (d doc) with(changes doc) doc {
	out := maps.Clone(d)
	for k, v := range changes {
		if v == nil {
			delete(out, k)
			continue
		}
		out[k] = v
	}
	return out
}

func (d doc) json() []byte {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	return text
}

var (
	goodManifest = doc{
		"id": "notes", "version": 3, "type": "mcp_local", "scope": "user",
		"auth":       doc{"type": "none"},
		"mcp_config": doc{"command": "python3", "args": []string{"server.py"}},
		"docs":       []doc{{"lang": "en", "description": "d", "llm_short_description": "llm"}},
	}
	goodEntry = doc{
		"id": "notes", "name": "Notes", "version": 3, "type": "mcp_local", "scope": "user",
		"files": []doc{fileDoc("server.py", "code")},
	}
)

func fileDoc(path, content string) doc {
	return doc{"path": path, "sha256": digest.Of([]byte(content)).String(), "size": len(content)}
}

// release merges two documents as the feed would.
func release(t *testing.T, entry, manifest doc) Release {
	t.Helper()
	idx, err := ParseIndex(doc{"connectors": []doc{entry}}.json())
	if err != nil || len(idx.Entries) != 1 {
		t.Fatalf("index: %v, %d entries", err, len(idx.Entries))
	}
	return idx.Entries[0].Release(manifest.json())
}

func TestGoodRelease(t *testing.T) {
	manifest := goodManifest.with(doc{
		"version_string": "1.0.3", "homepage": "https://example.org",
		"requires": []string{"PYTHON"}, "dependencies": []string{"x@1"}, "setup_instructions": []string{"s"},
		"env":         []doc{{"name": "KEY", "label": "Key", "required": true, "secret": true, "default": "x"}},
		"verify":      doc{"command": "python3 verify.py", "timeout_secs": 5},
		"tools":       []doc{{"name": "add", "display_name": "Add a note"}},
		"x_majordomo": doc{"mounts": []string{"files"}, "egress": []string{"api.example.org:443"}},
	})
	listed := []doc{fileDoc("server.py", "code"), fileDoc("verify.py", "v"), fileDoc("icon_sm.png", "i"), fileDoc(Name, string(manifest.json()))}
	entry := goodEntry.with(doc{
		"tags": []string{"local"}, "user_description": "u", "version_release_date": "2026-01-02",
		"icon_small": "notes/icon_sm.png", "icon_large": "notes/not_shipped.png", "files": listed,
	})
	got := release(t, entry, manifest)
	want := Release{
		ID: "notes", Folder: "notes", Name: "Notes", Version: 3, VersionString: "1.0.3", ReleaseDate: "2026-01-02",
		Source: SourceLocal, Scope: ScopeUser, Transport: TransportStdio,
		Command: "python3", Args: []string{"server.py"},
		Auth:     Auth{Kind: AuthNone},
		Env:      []Env{{Name: "KEY", Label: "Key", Required: true, Secret: true, Default: "x"}},
		Verify:   &Verify{Command: "python3 verify.py", Script: "verify.py", Timeout: 5 * time.Second},
		Mounts:   []string{MountFiles},
		Egress:   []string{"api.example.org:443"},
		Requires: []string{"PYTHON"}, Tags: []string{"local"}, Titles: map[string]string{"add": "Add a note"},
		UserDescription: "u", LLMDescription: "llm", Homepage: "https://example.org",
		Dependencies: []string{"x@1"}, SetupInstructions: []string{"s"},
		Icons: Icons{Small: "icon_sm.png"},
		Files: []File{
			{"server.py", digest.Of([]byte("code")), 4}, {"verify.py", digest.Of([]byte("v")), 1},
			{"icon_sm.png", digest.Of([]byte("i")), 1}, {Name, digest.Of(manifest.json()), int64(len(manifest.json()))},
		},
		ManifestVerified: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := got.Installable(); err != nil {
		t.Error(err)
	}
	// A receipt stores the release: nothing may be lost on the way.
	text, _ := json.Marshal(got)
	var back Release
	if err := json.Unmarshal(text, &back); err != nil || !cmp.Equal(got, back) {
		t.Errorf("JSON round trip: %v\n%s", err, cmp.Diff(got, back))
	}
}

// large lists server.py, so many files as large as can be in all, and others of a byte.
func large(full, small int) []doc {
	list := []doc{fileDoc("server.py", "").with(doc{"size": MaxFile})}
	for n := range full - 1 {
		list = append(list, fileDoc(fmt.Sprintf("full%d", n), "").with(doc{"size": MaxFile}))
	}
	for n := range small {
		list = append(list, fileDoc(fmt.Sprintf("small%d", n), "x"))
	}
	return list
}

// An icon that is too large is not shown, and the card says so.
func TestLargeIcon(t *testing.T) {
	r := release(t, goodEntry.with(doc{"icon_small": "notes/sm.png", "icon_large": "notes/lg.png", "files": []doc{
		fileDoc("server.py", "code"), fileDoc("sm.png", "").with(doc{"size": MaxIcon}), fileDoc("lg.png", "").with(doc{"size": MaxIcon + 1}),
	}}), goodManifest)
	if r.Installable() != nil || r.Icons != (Icons{Small: "sm.png"}) || !strings.Contains(fmt.Sprint(r.Problems), "1048577 bytes, more than the limit of 1 MiB") {
		t.Errorf("%+v, %v", r.Icons, r.Problems)
	}
}

// Every refusal of guide §8, and ours.
func TestRefusals(t *testing.T) {
	config := func(changes doc) doc {
		return doc{"mcp_config": doc{"command": "python3", "args": []string{"server.py"}}.with(changes)}
	}
	remote := doc{"type": "mcp_remote", "mcp_config": doc{"url": "https://example.org/mcp"}}
	files := func(paths ...string) doc {
		list := []doc{}
		for _, p := range paths {
			list = append(list, fileDoc(p, "x"))
		}
		return doc{"files": append(list, fileDoc("server.py", "code"))}
	}
	for _, tt := range []struct {
		name            string
		entry, manifest doc    // changes
		want            string // part of the refusal; "" means installable
	}{
		{"nothing wrong", nil, nil, ""},
		{"remote", nil, remote, ""},
		{"remote with a command", nil, remote.with(config(nil)), "may not name a command"},
		{"remote over stdio", nil, remote.with(doc{"transport": "stdio"}), "cannot speak stdio"},
		{"remote without URL", nil, remote.with(doc{"mcp_config": doc{}}), "mcp_config.url: there is none"},
		{"unknown type is local", nil, remote.with(doc{"type": "mcp_cloud"}), "mcp_config.command: there is none"},
		{"local over http", nil, doc{"transport": "http"}, "a local connector speaks stdio"},

		{"no files", doc{"files": nil}, nil, "no code in the list"},
		{"only connector.json", doc{"files": []doc{fileDoc(Name, string(goodManifest.json()))}}, nil, "no code in the list"},
		{"file without digest", doc{"files": []doc{{"path": "server.py"}}}, nil, "files[0].sha256"},
		{"file without path", doc{"files": []doc{{"sha256": digest.Of(nil).String()}}}, nil, "the path is empty"},
		{"file that is a string", doc{"files": []any{"server.py"}}, nil, "files[0]: want an object"},
		{"files that are no list", doc{"files": "server.py"}, nil, "files: want a list"},
		{"negative size", doc{"files": []doc{fileDoc("server.py", "").with(doc{"size": -1})}}, nil, "whole number"},
		{"declared too large", doc{"files": []doc{fileDoc("server.py", "").with(doc{"size": MaxFile + 1})}}, nil, "more than the limit of 8 MiB"},
		{"declared too large together", doc{"files": large(MaxPackage/MaxFile, 1)}, nil, "more than the limit of 256 MiB together"},
		{"declared below the limit together", doc{"files": large(MaxPackage/MaxFile-1, 9)}, nil, ""},
		{"too many files", doc{"files": large(1, MaxFiles)}, nil, "more than the limit of 4096 files"},
		{"declared at the limit", doc{"files": []doc{fileDoc("server.py", "").with(doc{"size": MaxFile})}}, nil, ""},

		{"path leads out", files("../x"), nil, `"../x" is not a plain relative path`},
		{"duplicate path", files("server.py"), nil, "are the same name"},
		{"reserved name", files("node_modules/x/index.js"), nil, "not the publisher's to ship"},

		{"no args", nil, config(doc{"args": nil}), "args[0]: it is missing"},
		{"empty args", nil, config(doc{"args": []string{}}), "args[0]: it is missing"},
		{"args of numbers", nil, config(doc{"args": []int{1}}), "args: want a list of strings"},
		{"entry leads out", nil, config(doc{"args": []string{"../server.py"}}), "not a plain relative path"},
		{"entry not shipped", nil, config(doc{"args": []string{"main.py"}}), "is not one of the files"},
		{"entry is a module flag", nil, config(doc{"args": []string{"-m", "server"}}), "is not one of the files"},
		{"entry is the manifest", nil, config(doc{"args": []string{Name}}), "stays on the host"},
		{"more args", nil, config(doc{"args": []string{"server.py", "--x", "/etc"}}), ""},

		{"no command", nil, config(doc{"command": nil}), "command: there is none, want one of node, python, python3, sh"},
		{"npx", nil, config(doc{"command": "npx"}), "ship a package.json"},
		{"uvx", nil, config(doc{"command": "uvx"}), "ship a requirements.txt"},
		{"docker", nil, config(doc{"command": "docker"}), "ship the server's own code"},
		{"path as command", nil, config(doc{"command": "/usr/bin/node"}), "is not one of"},
		{"command with control characters", nil, config(doc{"command": "node\x1b[2J"}), "control characters"},
		{"mcp_config is a list", nil, doc{"mcp_config": []string{}}, "mcp_config: want an object"},

		{"manifest of another connector", nil, doc{"id": "mail"}, `says "mail" but the index lists it as "notes"`},
		{"unknown mount", nil, doc{"x_majordomo": doc{"mounts": []string{"files", "docker.sock"}}}, "mounts[1]"},
		{"hosts to reach", nil, doc{"x_majordomo": doc{"egress": []string{"api.example.org:443", "[2a00::1]:5432", "10.0.0.1:1"}}}, ""},
		{"a host without a port", nil, doc{"x_majordomo": doc{"egress": []string{"a:1", "api.example.org"}}}, "egress[1]"},
		{"a pattern of hosts", nil, doc{"x_majordomo": doc{"egress": []string{"*.example.org:443"}}}, "egress[0]"},
		{"hosts that are no list", nil, doc{"x_majordomo": doc{"egress": "api.example.org:443"}}, "egress: want a list"},
		{"env name", nil, doc{"env": []doc{{"name": "A=B"}}}, "environment variable"},
		{"env twice", nil, doc{"env": []doc{{"name": "A"}, {"name": "A"}}}, "declared twice"},
		{"verify without command", nil, doc{"verify": doc{}}, "verify.command: there is none"},
		{"auth of the wrong type", nil, doc{"auth": "none"}, "auth: want an object"},

		{"id leads out", doc{"id": "../x"}, nil, "is not a name"},
		{"folder leads out", doc{"folder": "../x"}, nil, "is not a name"},
		{"id is missing", doc{"id": nil}, nil, "is not a name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := release(t, goodEntry.with(tt.entry), goodManifest.with(tt.manifest)).Installable()
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && err == nil:
				t.Errorf("installable, want %q", tt.want)
			case tt.want != "" && !strings.Contains(err.Error(), tt.want):
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// What is odd but harmless is said on the card and does not stop an install.
func TestWarnings(t *testing.T) {
	for _, tt := range []struct {
		name            string
		entry, manifest doc
		want            string
	}{
		{"version desync", doc{"version": 2}, nil, "connector.json: version: it is 3 but the index says 2"},
		{"type desync", doc{"type": "mcp_remote"}, nil, "connector.json: type"},
		{"scope unknown", nil, doc{"scope": "galaxy"}, `"galaxy" is unknown, it is treated as user`},
		{"transport unknown", nil, doc{"transport": "carrier-pigeon"}, "treated as stdio"},
		{"auth unknown", nil, doc{"auth": doc{"type": "password"}}, "treated as none"},
		{"no version", doc{"version": nil}, doc{"version": nil}, "no update will ever be offered"},
		{"version text", nil, doc{"version": "2.2.0"}, "version: want a whole number"},
		{"tags", doc{"tags": "local"}, nil, "index: tags: want a list of strings"},
		{"name", doc{"name": 7}, nil, "index: name: want a string"},
		{"docs", nil, doc{"docs": []string{"x"}}, "docs[0]: want an object"},
		{"verify script not shipped", nil, doc{"verify": doc{"command": "python3 verify.py"}}, "is not one of the files"},
		{"manifest not listed", nil, nil, "nothing vouches for it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := release(t, goodEntry.with(tt.entry), goodManifest.with(tt.manifest))
			if err := r.Installable(); err != nil {
				t.Error(err)
			}
			if !slices.ContainsFunc(r.Problems, func(p Problem) bool { return strings.Contains(p.String(), tt.want) }) {
				t.Errorf("problems %v, want %q", r.Problems, tt.want)
			}
		})
	}
}

func TestMergeRules(t *testing.T) {
	for _, tt := range []struct {
		name            string
		entry, manifest doc
		got             func(Release) any
		want            any
	}{
		{"name: index first", nil, doc{"name": "M"}, func(r Release) any { return r.Name }, "Notes"},
		{"name: then manifest", doc{"name": nil}, doc{"name": "M"}, func(r Release) any { return r.Name }, "M"},
		{"name: then id", doc{"name": nil}, nil, func(r Release) any { return r.Name }, "notes"},
		{"folder", doc{"folder": "f"}, nil, func(r Release) any { return r.Folder }, "f"},
		{"version: manifest wins", doc{"version": 9}, nil, func(r Release) any { return r.Version }, 3},
		{"version: index is the fallback", doc{"version": "9"}, doc{"version": nil}, func(r Release) any { return r.Version }, 9},
		{"null is absent", nil, doc{"version": json.RawMessage("null")}, func(r Release) any { return r.Version }, 3},
		{"description", nil, nil, func(r Release) any { return r.UserDescription }, "d"},
		{"requires: index is the fallback", doc{"requires": []string{"NODE"}}, nil, func(r Release) any { return strings.Join(r.Requires, ",") }, "NODE"},
		{"requires: the manifest wins", doc{"requires": []string{"NODE"}}, doc{"requires": []string{"PYTHON"}}, func(r Release) any { return strings.Join(r.Requires, ",") }, "PYTHON"},
		{"docs: the first, whatever its language", nil, doc{"docs": []doc{{"lang": "de", "llm_short_description": "eins"}, {"lang": "en", "llm_short_description": "two"}}}, func(r Release) any { return r.LLMDescription }, "eins"},
		{"tools in the index are never read", doc{"tools": []doc{{"name": "add", "display_name": "Other"}}}, nil, func(r Release) any { return len(r.Titles) }, 0},
		{"icons by their older names", doc{"small_icon": "/notes/server.py", "large_icon": "server.py"}, nil, func(r Release) any { return r.Icons }, Icons{"server.py", "server.py"}},
		{"icons of the manifest are not read", nil, doc{"icon_small": "server.py", "icon_large": "server.py"}, func(r Release) any { return r.Icons }, Icons{}},
		{"scope per_user", nil, doc{"scope": "per_user"}, func(r Release) any { return r.Scope }, ScopeUser},
		{"scope global", nil, doc{"scope": "global"}, func(r Release) any { return r.Scope }, ScopeGlobal},
		{"scope from the index", doc{"scope": "global"}, doc{"scope": nil}, func(r Release) any { return r.Scope }, ScopeGlobal},
		{"type from the tags", doc{"type": nil, "tags": []string{"remote"}}, doc{"type": nil}, func(r Release) any { return r.Source }, SourceRemote},
		{"unreadable type beats the tags", doc{"type": nil, "tags": []string{"remote"}}, doc{"type": "?"}, func(r Release) any { return r.Source }, SourceLocal},
		{"transport inside mcp_config first", nil, doc{"type": "mcp_remote", "transport": "http", "mcp_config": doc{"transport": "sse", "url": "u"}}, func(r Release) any { return r.Transport }, TransportSSE},
		{"transport of a remote", nil, doc{"type": "mcp_remote"}, func(r Release) any { return r.Transport }, TransportHTTP},
		{"streamable-http", nil, doc{"type": "mcp_remote", "transport": "streamable-http"}, func(r Release) any { return r.Transport }, TransportHTTP},
		{"auth oauth2", nil, doc{"auth": doc{"type": "oauth2", "deliver": doc{"as": "env"}}}, func(r Release) any { return r.Auth.Kind + r.Auth.Deliver.As }, "oauthenv"},
		{"auth from requires", doc{"requires": []string{"api_key"}}, doc{"auth": nil}, func(r Release) any { return r.Auth.Kind }, AuthAPIKey},
		{"auth: oauth first", doc{"requires": []string{"API_KEY", "OAUTH"}}, doc{"auth": nil}, func(r Release) any { return r.Auth.Kind }, AuthOAuth},
		{"auth in the index is never read", doc{"auth": doc{"type": "qr"}}, doc{"auth": nil}, func(r Release) any { return r.Auth.Kind }, AuthNone},
		{"legacy env", nil, doc{"mcp_config": doc{"env": doc{"B": "{SECRET:B}", "A": "{ENV:A}"}}}, func(r Release) any { return fmt.Sprint(r.Env) }, "[{A A    false false} {B B    false true}]"},
		{"verify timeout has a ceiling", nil, doc{"verify": doc{"command": "true", "timeout_secs": 900}}, func(r Release) any { return r.Verify.Timeout }, VerifyTimeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := release(t, goodEntry.with(tt.entry), goodManifest.with(tt.manifest))
			if got := tt.got(r); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestVerifyScript(t *testing.T) {
	files := []File{{Path: "lib/verify.py"}, {Path: "verify.py"}, {Path: "check.js"}, {Path: Name}}
	for command, want := range map[string]string{
		"python3 verify.py":        "verify.py", // the path itself before the base name
		"python3 ./verify.py":      "verify.py",
		"python3 lib/verify.py":    "lib/verify.py",
		"sh -c 'node check.js'":    "check.js",
		"node x/check.js":          "check.js",
		"python3 myverify.py":      "", // whole words only
		"python3 verify.pyc":       "",
		`node -e "fetch('x')"`:     "",
		"cat connector.json":       "", // stays on the host
		"python3 verify.py; rm -f": "verify.py",
	} {
		if got := verifyScript(command, files); got != want {
			t.Errorf("verifyScript(%q) = %q, want %q", command, got, want)
		}
	}
}

// A manifest that contradicts the index is not used, not even for display.
func TestManifestDigestMismatch(t *testing.T) {
	entry := goodEntry.with(doc{"files": []doc{fileDoc("server.py", "code"), fileDoc(Name, "something else")}})
	r := release(t, entry, goodManifest.with(doc{"mcp_config": doc{"command": "sh", "args": []string{"server.py"}}}))
	if r.Command != "" || r.ManifestVerified {
		t.Errorf("command %q was taken from a manifest that is not the listed one", r.Command)
	}
	if err := r.Installable(); err == nil || !strings.Contains(err.Error(), "connector.json does not match its digest") {
		t.Error(err)
	}
}

func TestManifestThatIsNotJSON(t *testing.T) {
	for text, want := range map[string]string{
		"<!doctype html><h1>404</h1>":    "it is a web page, not JSON",
		"":                               "it is empty",
		"{":                              "it is not valid JSON",
		"null":                           "it is null",
		"[]":                             "it is a list, want an object",
		`{"id":"notes"} {}`:              "it is not valid JSON",
		`{"type":"a","type":"b"}`:        `"type" is there twice`,
		"{\"id\":\"\xff\"}":              "UTF-8",
		`{"mcp_config":{"a":1,"a":2}}`:   `"a" is there twice`,
		strings.Repeat("[", 100_000):     "it is a list",
		"\xef\xbb\xbf" + "not json \x1b": "it is not valid JSON",
	} {
		idx, _ := ParseIndex(doc{"connectors": []doc{goodEntry}}.json())
		r := idx.Entries[0].Release([]byte(text))
		if err := r.Installable(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
		if r.Name != "Notes" {
			t.Errorf("%.40q: the card lost what the index says", text)
		}
	}
}

func TestBOM(t *testing.T) {
	idx, err := ParseIndex(append([]byte("\xef\xbb\xbf"), doc{"connectors": []doc{goodEntry}}.json()...))
	if err != nil || len(idx.Problems) != 1 || !strings.Contains(idx.Problems[0].String(), "byte order mark") {
		t.Fatalf("index: %v, %v", err, idx.Problems)
	}
	r := idx.Entries[0].Release(append([]byte("\xef\xbb\xbf"), goodManifest.json()...))
	if err := r.Installable(); err != nil || !strings.Contains(fmt.Sprint(r.Problems), "byte order mark") {
		t.Errorf("manifest: %v, %v", err, r.Problems)
	}
}
