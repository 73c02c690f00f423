package author

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// guideExample is a connector as the guide shows it, and all that lint may say of it.
type guideExample struct {
	id, fragment, manifest string
	files                  map[string]string
	want                   []string // check, file and path
}

var guideExamples = []guideExample{
	{
		id: "whatsapp", // guide §1b and §1c
		fragment: `{
  "id": "whatsapp", "name": "WhatsApp", "version": 8, "version_string": "2.2.0", "version_release_date": "2026-08-23",
  "type": "mcp_local", "scope": "user", "icon_small": "whatsapp/icon_sm.png", "icon_large": "whatsapp/icon_lg.png",
  "user_description": "Send and read WhatsApp messages from your linked account.", "requires": ["NODE"],
  "tags": ["messaging", "mcp", "local", "whatsapp", "qr"], "folder": "whatsapp", "auth": { "type": "qr" },
  "tools": [{ "name": "send_message", "display_name": "Send Message" }]
}`,
		manifest: `{
  "id": "whatsapp", "name": "WhatsApp", "version": 8, "version_string": "2.2.0", "version_release_date": "2026-08-23",
  "type": "mcp_local", "scope": "user", "requires": ["NODE"], "tags": ["messaging", "mcp", "local", "whatsapp", "qr"],
  "auth": { "type": "qr" }, "launch_command": "node index.js", "transport": "stdio",
  "mcp_config": { "command": "node", "args": ["index.js"] },
  "dependencies": ["@whiskeysockets/baileys@7.0.0-rc.14"],
  "setup_instructions": ["Scan the QR code with WhatsApp → Linked devices"],
  "docs": [{ "lang": "en", "description": "Human blurb shown in the UI.",
    "llm_short_description": "One line the model reads to decide whether to use this connector." }],
  "env": [], "verify": { "command": "python3 verify.py", "timeout_secs": 20 },
  "tools": [{ "name": "send_message", "display_name": "Send Message" }],
  "homepage": "https://web.whatsapp.com", "icon_small": "icon_sm.png", "icon_large": "icon_lg.png"
}`,
		files: map[string]string{
			"index.js": "", "verify.py": "", "icon_sm.png": "x", "icon_lg.png": "x",
			"package.json": `{"dependencies":{"@whiskeysockets/baileys":"7.0.0-rc.14"}}`,
		},
		want: []string{"lockfile package.json dependencies"}, // which the guide allows, and advises against
	},
	{
		id: "tavily", // guide §4b: a remote
		fragment: `{
  "id": "tavily", "name": "Tavily", "version": 1, "version_string": "1.0.0", "version_release_date": "2026-08-23",
  "type": "mcp_remote", "scope": "global", "icon_small": "tavily/icon_sm.svg", "icon_large": "tavily/icon_lg.svg",
  "user_description": "Searches the web.", "requires": ["API_KEY"], "tags": ["search"], "auth": { "type": "api_key", "delivery": "query" }
}`,
		manifest: `{
  "id": "tavily", "name": "Tavily", "version": 1, "version_string": "1.0.0", "version_release_date": "2026-08-23",
  "type": "mcp_remote", "scope": "global", "requires": ["API_KEY"], "tags": ["search"],
  "auth": { "type": "api_key", "delivery": "query" },
  "mcp_config": { "url": "https://mcp.tavily.com/mcp/?tavilyApiKey={SECRET:tavilyApiKey}", "transport": "streamable-http" },
  "docs": [{ "lang": "en", "description": "Searches the web.", "llm_short_description": "Tavily: search the web." }],
  "env": [{ "name": "tavilyApiKey", "label": "API key", "description": "From the dashboard.", "required": true, "secret": true }],
  "verify": { "command": "node -e \"console.log(JSON.stringify({ok: true}))\"" },
  "icon_small": "icon_sm.svg", "icon_large": "icon_lg.svg"
}`,
		files: map[string]string{"icon_sm.svg": "x", "icon_lg.svg": "x"},
	},
	{
		id: "gmail", // guide §4c
		fragment: `{
  "id": "gmail", "name": "Gmail", "version": 1, "version_string": "1.0.0", "version_release_date": "2026-08-23",
  "type": "mcp_local", "scope": "user", "icon_small": "gmail/icon_sm.svg", "icon_large": "gmail/icon_lg.svg",
  "user_description": "Reads and sends mail.", "requires": ["PYTHON", "OAUTH"], "tags": ["mail"], @AUTH
}`,
		manifest: `{
  "id": "gmail", "name": "Gmail", "version": 1, "version_string": "1.0.0", "version_release_date": "2026-08-23",
  "type": "mcp_local", "scope": "user", "requires": ["PYTHON", "OAUTH"], "tags": ["mail"], @AUTH,
  "mcp_config": { "command": "python3", "args": ["server.py"] },
  "docs": [{ "lang": "en", "description": "Reads and sends mail.", "llm_short_description": "Gmail: read, search and send mail." }],
  "icon_small": "icon_sm.svg", "icon_large": "icon_lg.svg"
}`,
		files: map[string]string{"server.py": "", "requirements.txt": "google-auth==2.40.0\n", "icon_sm.svg": "x", "icon_lg.svg": "x"},
	},
	{
		id: "email", // guide §4a and §4b: works, but for a word that no client knows
		fragment: `{
  "id": "email", "name": "Mail", "version": 1, "version_string": "1.0.0", "version_release_date": "2026-08-23",
  "type": "mcp_local", "scope": "user", "icon_small": "email/icon_sm.svg", "icon_large": "email/icon_lg.svg",
  "user_description": "Reads mail.", "requires": ["PYTHON", "ENV"], "tags": ["mail"], "auth": { "type": "password" }
}`,
		manifest: `{
  "id": "email", "name": "Mail", "version": 1, "version_string": "1.0.0", "version_release_date": "2026-08-23",
  "type": "mcp_local", "scope": "user", "requires": ["PYTHON", "ENV"], "tags": ["mail"], "auth": { "type": "password" },
  "mcp_config": { "command": "python3", "args": ["server.py"] },
  "docs": [{ "lang": "en", "description": "Reads mail.", "llm_short_description": "Mail: read and search." }],
  "env": [{ "name": "EMAIL_IMAP_HOST", "label": "IMAP host", "description": "IMAP server hostname (e.g. imap.gmail.com).",
    "required": true, "secret": false, "example": "imap.gmail.com", "default": "" }],
  "verify": { "command": "python3 verify.py", "timeout_secs": 20 },
  "icon_small": "icon_sm.svg", "icon_large": "icon_lg.svg"
}`,
		files: map[string]string{"server.py": `os.environ["EMAIL_IMAP_HOST"]`, "verify.py": "", "icon_sm.svg": "x", "icon_lg.svg": "x"},
		want:  []string{"auth-type connector.json auth.type"},
	},
}

const guideOAuth = `"auth": { "type": "oauth2", "provider": "google", "scopes": ["https://www.googleapis.com/auth/gmail.modify"],
  "deliver": { "as": "env", "format": "google_authorized_user", "env": "GMAIL_CREDS_JSON" } }`

// What the guide shows as right is not called wrong.
func TestGuideExamples(t *testing.T) {
	for _, tt := range guideExamples {
		dir := filepath.Join(t.TempDir(), tt.id)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		files := maps.Clone(tt.files)
		files[fragmentName] = strings.Replace(tt.fragment, "@AUTH", guideOAuth, 1)
		files["connector.json"] = strings.Replace(tt.manifest, "@AUTH", guideOAuth, 1)
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		report, err := Lint(dir)
		var got []string
		for _, f := range report.Findings {
			got = append(got, f.Check+" "+f.File+" "+f.Path)
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v %+v", tt.id, err, report.Findings)
		}
	}
}
