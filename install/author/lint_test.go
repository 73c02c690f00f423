package author

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordomo/configs"
	"majordomo/configs/manifest"
)

// folder is a feed with one connector in which lint finds nothing.
type folder struct {
	fragment, manifest map[string]any
	files              map[string]string // relative to the feed; "" removes one
}

func clean() folder {
	both := func(more map[string]any) map[string]any {
		m := map[string]any{
			"id": "mail", "name": "Mail", "version": 3, "version_string": "1.2.0", "version_release_date": "2026-01-02",
			"type": "mcp_local", "scope": "user", "requires": []any{"PYTHON", "ENV"}, "tags": []any{"mail"},
			"auth": map[string]any{"type": "none"},
		}
		maps.Copy(m, more)
		return m
	}
	return folder{
		fragment: both(map[string]any{
			"folder": "mail", "user_description": "Reads mail.", "icon_small": "mail/icon_sm.svg", "icon_large": "mail/icon_lg.svg",
		}),
		manifest: both(map[string]any{
			"launch_command": "python3 server.py", "transport": "stdio",
			"mcp_config": map[string]any{"command": "python3", "args": []any{"server.py"}},
			"docs":       []any{map[string]any{"lang": "en", "description": "Reads mail.", "llm_short_description": "Mail: read it."}},
			"env": []any{map[string]any{
				"name": "HOST", "label": "Host", "description": "The server.", "required": true, "secret": false, "example": "mail.example.org",
			}},
			"verify":       map[string]any{"command": "python3 verify.py", "timeout_secs": 10},
			"dependencies": []any{"x==1"},
			"icon_small":   "icon_sm.svg", "icon_large": "icon_lg.svg",
		}),
		files: map[string]string{
			"index.json": `["mail"]`, "mail/server.py": `os.environ["HOST"]`, "mail/verify.py": "pass", "mail/requirements.txt": "x==1\n",
			"mail/icon_sm.svg": "<svg/>", "mail/icon_lg.svg": "<svg/>",
		},
	}
}

func (f folder) write(t *testing.T) string {
	t.Helper()
	for name, doc := range map[string]any{fragmentName: f.fragment, manifest.Name: f.manifest} {
		if _, given := f.files["mail/"+name]; given {
			continue
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		f.files["mail/"+name] = string(text)
	}
	return WriteFiles(t, f.files)
}

// WriteFiles makes a directory of these files; one without text is left out.
func WriteFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if text == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// both sets a member of both documents.
func (f folder) both(key string, value any) { f.fragment[key], f.manifest[key] = value, value }

func (f folder) config(more map[string]any) {
	config := map[string]any{"command": "python3", "args": []any{"server.py"}}
	maps.Copy(config, more)
	f.manifest["mcp_config"] = config
}

func (f folder) field(more map[string]any) {
	field := maps.Clone(clean().manifest["env"].([]any)[0].(map[string]any))
	maps.Copy(field, more)
	f.manifest["env"] = []any{field}
}

// remote makes it an address.
func (f folder) remote(url string) {
	f.both("type", "mcp_remote")
	f.manifest["transport"], f.manifest["mcp_config"] = "streamable-http", map[string]any{"url": url}
	delete(f.manifest, "dependencies")
	delete(f.manifest, "verify")
	for _, name := range []string{"server.py", "verify.py", "requirements.txt"} {
		f.files["mail/"+name] = ""
	}
	delete(f.manifest, "launch_command")
	f.field(map[string]any{"required": false})
	if !strings.Contains(url, "{ENV:HOST}") {
		f.manifest["env"] = []any{}
	}
	f.both("requires", []any{})
}

func (f folder) oauth(more map[string]any) {
	auth := map[string]any{
		"type": "oauth2", "provider": "google", "scopes": []any{"s"},
		"deliver": map[string]any{"as": "env", "format": "refresh_token", "env": "CREDS"},
	}
	maps.Copy(auth, more)
	f.both("auth", auth)
	f.both("requires", []any{"PYTHON", "ENV", "OAUTH"})
}

func (f folder) npm(pkg, lock string) {
	f.files["mail/package.json"], f.files["mail/package-lock.json"] = pkg, lock
}

const e, w = manifest.Error, manifest.Warning

// lintCase breaks one rule.
type lintCase struct {
	check, severity, file, path string // what lint must say; the file is below mail/ unless it begins with ./
	name                        string
	change                      func(f folder)
}

var lintCases = []lintCase{
	{"documents", e, "fragment.json", "", "no fragment", func(f folder) { f.files["mail/fragment.json"] = "" }},
	{"documents", e, "connector.json", "", "not JSON", func(f folder) { f.files["mail/connector.json"] = "{" }},
	{"documents", e, "connector.json", "", "a list", func(f folder) { f.files["mail/connector.json"] = "[]" }},
	{"files", e, "auth/x", "", "reserved name", func(f folder) { f.files["mail/auth/x"] = "x" }},
	{"folder-name", e, "fragment.json", "id", "another id", func(f folder) { f.fragment["id"] = "post" }},
	{"folder-name", e, "fragment.json", "folder", "another folder", func(f folder) { f.fragment["folder"] = "post" }},
	{"folder-name", e, "connector.json", "id", "manifest of another", func(f folder) { f.manifest["id"] = "post" }},
	{"folder-name", e, "connector.json", "id", "no id", func(f folder) { delete(f.manifest, "id") }},
	{"flat", w, "pkg", "", "sub-folder", func(f folder) { f.files["mail/pkg/a.py"], f.files["mail/pkg/b/c.py"] = "x", "x" }},
	{"icons", w, "fragment.json", "icon_small", "none", func(f folder) { delete(f.fragment, "icon_small") }},
	{"icons", e, "fragment.json", "icon_small", "hot-linked", func(f folder) { f.fragment["icon_small"] = "https://x.example/icon_sm.svg" }},
	{"icons", e, "fragment.json", "icon_small", "relative to the folder", func(f folder) { f.fragment["icon_small"] = "icon_sm.svg" }},
	{"icons", w, "fragment.json", "icon_large", "another one", func(f folder) { f.fragment["icon_large"] = "mail/icon_sm.svg" }},
	{"icons", e, "connector.json", "icon_large", "relative to the feed", func(f folder) { f.manifest["icon_large"] = "mail/icon_lg.svg" }},
	{"name", w, "fragment.json", "name", "none", func(f folder) { delete(f.fragment, "name") }},
	{"name", w, "connector.json", "name", "none in the manifest", func(f folder) { delete(f.manifest, "name") }},
	{"name", w, "connector.json", "name", "another", func(f folder) { f.manifest["name"] = "Post" }},
	{"known-fields", w, "connector.json", "enviroment", "misspelt", func(f folder) { f.manifest["enviroment"] = 1 }},
	{"known-fields", w, "fragment.json", "env", "in the wrong document", func(f folder) { f.fragment["env"] = []any{} }},
	{"known-fields", w, "connector.json", "env[0].secert", "misspelt in a field", func(f folder) { f.field(map[string]any{"secert": true}) }},
	{"known-fields", w, "connector.json", "auth.deliver.as_file", "misspelt deep inside", func(f folder) {
		f.oauth(map[string]any{"deliver": map[string]any{"as": "env", "format": "refresh_token", "env": "CREDS", "as_file": true}})
	}},
	{"known-fields", w, "connector.json", "mcp_config.arg", "misspelt in mcp_config", func(f folder) { f.config(map[string]any{"arg": "x"}) }},
	{"known-fields", w, "connector.json", "verify.timeout", "misspelt in verify", func(f folder) {
		f.manifest["verify"] = map[string]any{"command": "python3 verify.py", "timeout": 5}
	}},
	{"known-fields", w, "connector.json", "docs[1].llm_description", "misspelt in docs", func(f folder) {
		f.manifest["docs"] = append(f.manifest["docs"].([]any), map[string]any{"llm_description": "x"})
	}},
	{"known-fields", w, "connector.json", "tools[0].icon", "an icon of a tool", func(f folder) {
		f.manifest["tools"] = []any{map[string]any{"name": "a", "display_name": "A", "icon": "a.svg"}}
	}},
	{"known-fields", w, "fragment.json", "files", "written by hand", func(f folder) { f.fragment["files"] = []any{} }},
	{"identical", e, "connector.json", "version", "version", func(f folder) { f.fragment["version"] = 2 }},
	{"identical", e, "connector.json", "scope", "scope", func(f folder) { f.fragment["scope"] = "global" }},
	{"identical", e, "connector.json", "auth", "auth", func(f folder) { f.fragment["auth"] = map[string]any{"type": "qr"} }},
	{"identical", w, "fragment.json", "tags", "tags in one only", func(f folder) { delete(f.fragment, "tags") }},
	{"identical", w, "connector.json", "tags", "tags in the other only", func(f folder) { delete(f.manifest, "tags") }},
	{"version", e, "connector.json", "version", "text", func(f folder) { f.both("version", "3") }},
	{"version", w, "connector.json", "version_string", "not semantic", func(f folder) { f.both("version_string", "two") }},
	{"version", w, "connector.json", "version_release_date", "no date", func(f folder) { f.both("version_release_date", "tomorrow") }},
	{"description", w, "fragment.json", "user_description", "none", func(f folder) { delete(f.fragment, "user_description") }},
	{"description", w, "connector.json", "docs[0].description", "no blurb", func(f folder) {
		f.manifest["docs"] = []any{map[string]any{"llm_short_description": "Mail: read it."}}
	}},
	{"llm-description", w, "connector.json", "docs[0].llm_short_description", "none", func(f folder) {
		f.manifest["docs"] = []any{map[string]any{"description": "Reads mail."}}
	}},
	{"llm-description", w, "connector.json", "docs[0].llm_short_description", "too long", func(f folder) {
		f.manifest["docs"] = []any{map[string]any{"description": "d", "llm_short_description": strings.Repeat("long ", 50)}}
	}},
	{"llm-description", w, "connector.json", "docs[0].llm_short_description", "list of tools", func(f folder) {
		f.manifest["docs"] = []any{map[string]any{"description": "d", "llm_short_description": "read_mail, send_mail"}}
		f.manifest["tools"] = []any{map[string]any{"name": "read_mail", "display_name": "R"}, map[string]any{"name": "send_mail", "display_name": "S"}}
	}},
	{"tool-names", w, "fragment.json", "tools", "inert", func(f folder) {
		f.fragment["tools"] = []any{map[string]any{"name": "a", "display_name": "A"}}
	}},
	{"tool-names", w, "fragment.json", "tools", "another list", func(f folder) {
		f.fragment["tools"] = []any{map[string]any{"name": "a", "display_name": "B"}}
		f.manifest["tools"] = []any{map[string]any{"name": "a", "display_name": "A"}}
	}},
	{"tool-names", w, "connector.json", "tools[0].display_name", "no display name", func(f folder) {
		f.manifest["tools"] = []any{map[string]any{"name": "a"}}
	}},
	{"launch-command", w, "connector.json", "launch_command", "another", func(f folder) { f.manifest["launch_command"] = "python server.py" }},
	{"transport", w, "connector.json", "transport", "unknown", func(f folder) { f.manifest["transport"] = "carrier-pigeon" }},
	{"transport", w, "connector.json", "transport", "twice", func(f folder) {
		f.manifest["transport"] = "http"
		f.config(map[string]any{"transport": "stdio"})
	}},
	{"transport", w, "fragment.json", "transport", "another one in the fragment", func(f folder) { f.fragment["transport"] = "http" }},
	{"transport", e, "connector.json", "transport", "local over http", func(f folder) { f.manifest["transport"] = "http" }},
	{"interpreter", e, "connector.json", "mcp_config.command", "npx", func(f folder) {
		f.config(map[string]any{"command": "npx"})
		delete(f.manifest, "launch_command")
		f.both("requires", []any{"NODE", "ENV"})
	}},
	{"entry-file", e, "connector.json", "mcp_config.args[0]", "not shipped", func(f folder) {
		f.config(map[string]any{"args": []any{"main.py"}})
		f.manifest["launch_command"] = "python3 main.py"
	}},
	{"mcp-config", e, "connector.json", "mcp_config.url", "remote without an address", func(f folder) { f.remote("") }},
	{"remote", e, "connector.json", "mcp_config.url", "plain http", func(f folder) { f.remote("http://mcp.example.org") }},
	{"remote", w, "server.py", "", "remote with code", func(f folder) {
		f.remote("https://mcp.example.org")
		f.files["mail/server.py"] = "pass"
	}},
	{"placement", w, "connector.json", "type", "unknown type", func(f folder) { f.both("type", "mcp_cloud") }},
	{"placement", w, "connector.json", "scope", "unknown scope", func(f folder) { f.both("scope", "planet") }},
	{"placement", w, "connector.json", "scope", "personal but global", func(f folder) {
		f.both("scope", "global")
		f.both("auth", map[string]any{"type": "qr"})
	}},
	{"requires", w, "connector.json", "requires[2]", "unknown word", func(f folder) { f.both("requires", []any{"PYTHON", "ENV", "COBOL"}) }},
	{"requires", w, "connector.json", "requires[2]", "removed word", func(f folder) { f.both("requires", []any{"PYTHON", "ENV", "SECRETS_DIR"}) }},
	{"requires", w, "connector.json", "requires", "word missing", func(f folder) { f.both("requires", []any{"ENV"}) }},
	{"placeholders", e, "connector.json", "mcp_config.args[1]", "in args", func(f folder) {
		f.config(map[string]any{"args": []any{"server.py", "{ENV:HOST}"}})
		delete(f.manifest, "launch_command")
	}},
	{"placeholders", e, "connector.json", "mcp_config.headers.Authorization", "in headers", func(f folder) {
		f.remote("https://x.example/?k={ENV:HOST}")
		f.manifest["mcp_config"] = map[string]any{"url": "https://x.example/?h={ENV:HOST}", "headers": map[string]any{"Authorization": "{ENV:HOST}"}}
	}},
	{"placeholders", e, "connector.json", "mcp_config.url", "a secret as a plain value", func(f folder) {
		f.remote("https://x.example/?k={ENV:KEY}")
		f.field(map[string]any{"name": "KEY", "secret": true, "required": false})
	}},
	{"placeholders", e, "connector.json", "verify.command", "a plain value as a secret", func(f folder) {
		f.manifest["verify"] = map[string]any{"command": "python3 verify.py {SECRET:HOST}"}
	}},
	{"placeholders", e, "connector.json", "mcp_config.url", "unknown name", func(f folder) { f.remote("https://x.example/?k={SECRET:KEY}") }},
	{"placeholders", w, "connector.json", "mcp_config.url", "old way", func(f folder) { f.remote("https://x.example/?k={key}") }},
	{"placeholders", e, "connector.json", "verify.command", "unknown in verify", func(f folder) {
		f.manifest["verify"] = map[string]any{"command": "python3 verify.py {ENV:PORT}"}
	}},
	{"placeholders", e, "connector.json", "verify", "dead", func(f folder) {
		f.manifest["verify"] = map[string]any{"command": "python3 verify.py {env:HOST}"}
	}},
	{"auth-type", w, "connector.json", "auth.type", "unknown", func(f folder) { f.both("auth", map[string]any{"type": "password"}) }},
	{"auth-type", w, "connector.json", "auth.type", "none", func(f folder) { f.both("auth", map[string]any{}) }},
	{"auth-type", w, "connector.json", "auth.delivery", "unknown delivery", func(f folder) {
		f.both("auth", map[string]any{"type": "none", "delivery": "pigeon"})
	}},
	{"api-key-form", e, "connector.json", "env", "no field", func(f folder) {
		f.both("auth", map[string]any{"type": "api_key"})
		f.both("requires", []any{"PYTHON", "API_KEY"})
		f.manifest["env"] = []any{}
	}},
	{"api-key-form", w, "connector.json", "mcp_config.url", "in the query of no address", func(f folder) {
		f.remote("https://mcp.example.org")
		f.both("auth", map[string]any{"type": "api_key", "delivery": "query"})
		f.both("requires", []any{"API_KEY"})
	}},
	{"oauth", e, "connector.json", "auth.provider", "no provider", func(f folder) { f.oauth(map[string]any{"provider": ""}) }},
	{"oauth", w, "connector.json", "auth.scopes", "no scopes", func(f folder) { f.oauth(map[string]any{"scopes": []any{}}) }},
	{"oauth", e, "connector.json", "auth.deliver.as", "as a file", func(f folder) {
		f.oauth(map[string]any{"deliver": map[string]any{"as": "file", "format": "refresh_token", "env": "CREDS"}})
	}},
	{"oauth", e, "connector.json", "auth.deliver.format", "unknown format", func(f folder) {
		f.oauth(map[string]any{"deliver": map[string]any{"as": "env", "format": "x", "env": "CREDS"}})
	}},
	{"oauth", e, "connector.json", "auth.deliver.env", "no variable", func(f folder) {
		f.oauth(map[string]any{"deliver": map[string]any{"as": "env", "format": "refresh_token"}})
	}},
	{"oauth", e, "connector.json", "auth.deliver.env", "a form field", func(f folder) {
		f.oauth(map[string]any{"deliver": map[string]any{"as": "env", "format": "refresh_token", "env": "HOST"}})
	}},
	{"public-secrets", e, "connector.json", "env[0].default", "secret by default", func(f folder) {
		f.field(map[string]any{"secret": true, "required": false, "default": "x"})
	}},
	{"public-secrets", e, "connector.json", "auth.deliver.client_secret", "of the provider", func(f folder) {
		f.oauth(map[string]any{"deliver": map[string]any{"as": "env", "format": "refresh_token", "env": "CREDS", "client_secret": "x"}})
	}},
	{"public-secrets", e, "fragment.json", "client_id", "of the provider in the fragment", func(f folder) { f.fragment["client_id"] = "x" }},
	{"public-secrets", e, ".env", "", "an environment file", func(f folder) { f.files["mail/.env"] = "PASSWORD=x" }},
	{"public-secrets", e, ".npmrc", "", "a registry's token", func(f folder) { f.files["mail/.npmrc"] = "x" }},
	{"public-secrets", e, "server.key", "", "a private key", func(f folder) { f.files["mail/server.key"] = "-----BEGIN PRIVATE KEY-----\n" }},
	{"form-read", w, "connector.json", "env[0].name", "a name that no code has", func(f folder) {
		f.files["mail/server.py"] = "pass"
		f.files["mail/requirements.txt"] = ""
		f.manifest["dependencies"] = []any{}
	}},
	{"form-read", w, "connector.json", "env[0].name", "of a remote, in no address", func(f folder) {
		f.remote("https://mcp.example.org")
		f.field(map[string]any{"required": false})
	}},
	{"form-fields", e, "connector.json", "env[0].name", "not a variable", func(f folder) {
		f.field(map[string]any{"name": "a-b"})
		f.both("requires", []any{"PYTHON"})
	}},
	{"form-labels", w, "connector.json", "env[0].label", "no label", func(f folder) { f.field(map[string]any{"label": ""}) }},
	{"form-defaults", w, "connector.json", "env[0].default", "required and default", func(f folder) { f.field(map[string]any{"default": "x"}) }},
	{"form-secrets", w, "connector.json", "env[0].secret", "password in the clear", func(f folder) { f.field(map[string]any{"name": "IMAP_PASSWORD"}) }},
	{"form-reserved", w, "connector.json", "env[0].name", "PATH", func(f folder) { f.field(map[string]any{"name": "PATH"}) }},
	{"form-legacy", w, "connector.json", "mcp_config.env", "legacy", func(f folder) {
		f.config(map[string]any{"env": map[string]any{"HOST": "{ENV:HOST}"}})
	}},
	{"dependency-file", w, "connector.json", "dependencies", "no file", func(f folder) { f.files["mail/requirements.txt"] = "" }},
	{"dependency-file", w, "connector.json", "dependencies", "nothing in the file", func(f folder) {
		f.files["mail/requirements.txt"], f.files["mail/package.json"] = "", `{"devDependencies":{"x":"1"}}`
	}},
	{"dependency-file", w, "connector.json", "setup_instructions[0]", "a step to install", func(f folder) {
		f.manifest["setup_instructions"] = []any{"Run npm install in the folder"}
	}},
	{"host-assets", w, "photo.png", "", "a picture that nobody sees", func(f folder) { f.files["mail/photo.png"] = "x" }},
	{"host-assets", w, "server.py", "", "reads the manifest", func(f folder) { f.files["mail/server.py"] = `open("connector.json")` }},
	{"vendored", w, "venv", "", "a virtual environment", func(f folder) {
		f.files["mail/venv/pyvenv.cfg"], f.files["mail/venv/lib/site-packages/x.py"] = "x", "x"
	}},
	{"vendored", w, "x-1.dist-info", "", "an installed package", func(f folder) { f.files["mail/x-1.dist-info/METADATA"] = "x" }},
	{"vendored", w, "x-1.whl", "", "wheel", func(f folder) { f.files["mail/x-1.whl"] = "x" }},
	{"lockfile", w, "package.json", "dependencies", "none", func(f folder) { f.npm(`{"dependencies":{"a":"^1"}}`, "") }},
	{"lockfile", w, "package-lock.json", "packages", "addresses", func(f folder) {
		f.npm(`{"dependencies":{"a":"1"}}`, `{"packages":{"a":{"resolved":"https://r.example/a.tgz"}}}`)
	}},
	{"lockfile", e, "package-lock.json", "", "broken", func(f folder) { f.npm(`{"dependencies":{"a":"1"}}`, `{`) }},
	{"lockfile", e, "package.json", "", "broken package.json", func(f folder) { f.npm(`{`, "") }},
	{"pinned", w, "requirements.txt", "line 2", "a range", func(f folder) { f.files["mail/requirements.txt"] = "# x\nx>=1\n" }},
	{"pinned", w, "requirements.txt", "line 1", "a registry", func(f folder) { f.files["mail/requirements.txt"] = "--index-url https://r.example\nx==1\n" }},
	{"verify", w, "connector.json", "verify", "none", func(f folder) { delete(f.manifest, "verify") }},
	{"verify", w, "connector.json", "verify.timeout_secs", "too long", func(f folder) {
		f.manifest["verify"] = map[string]any{"command": "python3 verify.py", "timeout_secs": 60}
	}},
	{"verify-script", e, "connector.json", "verify.command", "not shipped", func(f folder) { f.files["mail/verify.py"] = "" }},
	{"mounts", e, "connector.json", "x_majordomo.mounts[0]", "unknown", func(f folder) {
		f.manifest["x_majordomo"] = map[string]any{"mounts": []any{"/"}}
	}},
	{"egress", e, "connector.json", "x_majordomo.egress[0]", "a pattern", func(f folder) {
		f.manifest["x_majordomo"] = map[string]any{"egress": []any{"*.example.org:443"}}
	}},
	{"well-formed", w, "connector.json", "homepage", "wrong type", func(f folder) { f.manifest["homepage"] = 7 }},
	{"well-formed", e, "connector.json", "name", "control characters", func(f folder) { f.both("name", "a\x07") }},
	{"order", e, "./index.json", "", "not a list", func(f folder) { f.files["index.json"] = `{}` }},
	{"order", e, "./index.json", "[1]", "twice", func(f folder) { f.files["index.json"] = `["mail","mail"]` }},
	{"order", e, "./index.json", "[1]", "no folder", func(f folder) { f.files["index.json"] = `["mail","post"]` }},
	{"order", e, "./index.json", "[1]", "leads out", func(f folder) { f.files["index.json"] = `["mail","../x"]` }},
	{"order", w, "./post", "", "not listed", func(f folder) { f.files["post/fragment.json"] = `{}` }},
	{"compiled", e, "./connectors.json", "", "broken", func(f folder) { f.files["connectors.json"] = `{` }},
	{"version-raised", w, "connector.json", "version_string", "raised for machines only", func(f folder) {
		f.files["connectors.json"] = `{"connectors":[{"id":"mail","version":2,"version_string":"1.2.0"}]}`
	}},
	{"version-raised", e, "connector.json", "version", "changed and not raised", func(f folder) {
		f.files["connectors.json"] = `{"connectors":[{"id":"mail","version":3}]}`
	}},
}

func TestLintFindsEachFault(t *testing.T) {
	for _, tt := range lintCases {
		t.Run(tt.check+"/"+tt.name, func(t *testing.T) {
			f := clean()
			tt.change(f)
			report, err := Lint(f.write(t))
			if err != nil {
				t.Fatal(err)
			}
			want := Finding{Check: tt.check, Severity: tt.severity, File: strings.TrimPrefix("mail/"+tt.file, "mail/./"), Path: tt.path}
			found := false
			for _, got := range report.Findings {
				bare := Finding{Check: got.Check, Severity: got.Severity, File: got.File, Path: got.Path}
				found = found || bare == want
				if got.Message == "" || got.Fix == "" {
					t.Errorf("without a message or a fix: %+v", got)
				}
				inside := strings.HasPrefix(tt.path, got.Path+".") // said of the object that the fault is in
				if got.Check != tt.check && got.Check != "compiled" && !inside {
					t.Errorf("also found: %+v", got)
				}
			}
			if !found {
				t.Errorf("not found: %+v\nin %+v", want, report.Findings)
			}
			if report.OK != (report.Errors == 0) || report.Errors+report.Warnings != len(report.Findings) {
				t.Errorf("%+v does not add up", report)
			}
		})
	}
}

func TestLintFindsNothing(t *testing.T) {
	dir := clean().write(t)
	compiled, err := Compile(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, indexName), compiled, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, filepath.Join(dir, "mail")} {
		if report, err := Lint(dir); err != nil || !report.OK || len(report.Findings) > 0 {
			t.Errorf("%+v, %v", report, err)
		}
	}
	if _, err := Lint(filepath.Join(dir, "nothing")); err == nil {
		t.Error("there is nothing to check")
	}
}

// Everything is said at once, and of one connector by the names in its folder.
func TestLintOneFolder(t *testing.T) {
	f := clean()
	f.fragment["version"], f.manifest["auth"] = 2, map[string]any{"type": "qr"}
	f.files["mail/verify.py"], f.files["mail/icon_lg.svg"] = "", ""
	report, err := Lint(filepath.Join(f.write(t), "mail"))
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.Check+" "+f.File+" "+f.Path)
	}
	want := []string{
		"verify-script connector.json verify.command", "icons connector.json icon_large", "identical connector.json version",
		"identical connector.json auth", "icons fragment.json icon_large",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\n got %q\nwant %q", err, got, want)
	}
}

// The connectors to start from have nothing to be ashamed of.
func TestLintExampleFeed(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "feed"), configs.ExampleFeed()); err != nil {
		t.Fatal(err)
	}
	if report, err := Lint(filepath.Join(dir, "feed")); err != nil || len(report.Findings) > 0 {
		t.Errorf("%+v, %v", report.Findings, err)
	}
}

// Every check has a case here and a line in the manual.
func TestChecksAreKnown(t *testing.T) {
	names := []string{"documents", "files", "order", "compiled", "version-raised"}
	for _, r := range rules {
		names = append(names, r.name)
	}
	for _, r := range readerChecks {
		names = append(names, r.check)
	}
	slices.Sort(names)
	manual, err := os.ReadFile("../../docs/authoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Compact(names) {
		if !slices.ContainsFunc(lintCases, func(c lintCase) bool { return c.check == name }) {
			t.Errorf("no case for %s", name)
		}
		if !strings.Contains(string(manual), "`"+name+"`") {
			t.Errorf("docs/authoring.md does not name the check %s", name)
		}
	}
}
