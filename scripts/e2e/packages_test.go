package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// published is a server as its publisher put it into a registry, behind the few lines that make a connector of it.
type published struct {
	id, registry string
	files        map[string]string
	env          map[string]string // what its form asks for
	tools        []string          // some that it has
	lock         bool              // make a lockfile first, as a publisher would
	long         bool              // too large for every run
}

var publishedServers = []published{
	{id: "memory", registry: "npm", files: npmServer("@modelcontextprotocol/server-memory", "2026.8.31", "dist/index.js"),
		env: map[string]string{"MEMORY_FILE_PATH": "/root/memory.jsonl"}, tools: []string{"create_entities", "read_graph"}},
	{id: "git", registry: "pypi", files: pypiServer("mcp-server-git", "2026.10.19", "mcp_server_git"), tools: []string{"git_status", "git_log"}},
	{id: "fetch", registry: "pypi", files: pypiServer("mcp-server-fetch", "2026.10.24", "mcp_server_fetch"), tools: []string{"fetch"}, long: true},
	{id: "firecrawl", registry: "npm", files: npmServer("firecrawl-mcp", "3.26.0", "dist/index.js"),
		env: map[string]string{"FIRECRAWL_API_KEY": "none"}, tools: []string{"firecrawl_scrape"}, lock: true, long: true},
}

func npmServer(name, version, bin string) map[string]string {
	return map[string]string{
		"package.json": fmt.Sprintf(`{"private": true, "type": "module", "dependencies": {%q: %q}}`, name, version),
		"index.js":     fmt.Sprintf("import { Console } from \"node:console\"\nglobalThis.console = new Console(process.stderr)\nawait import(%q)\n", name+"/"+bin),
	}
}

func pypiServer(name, version, module string) map[string]string {
	return map[string]string{
		"requirements.txt": name + "==" + version + "\n",
		"server.py":        fmt.Sprintf("from %s import main\nmain()\n", module),
	}
}

// Servers that people really run, from their registries, installed by a daemon and listed through it.
func TestPublishedServers(t *testing.T) {
	for _, p := range publishedServers {
		t.Run(p.id, func(t *testing.T) {
			if p.long && os.Getenv("MAJORDOMO_LONG") == "" {
				t.Skipf("%s skipped: it takes minutes; ./scripts/test --long runs it", t.Name())
			}
			t.Parallel()
			needRegistry(t, p.registry)
			h := &house{t: t, bin: binary(), state: filepath.Join(t.TempDir(), "state"), feed: feedOf(t, p)}
			h.serve()
			h.ok("member", "add", "ann")
			h.activate(p.id)
			var tools []struct{ Name string }
			h.read(&tools, "tools", "--member", "ann")
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
			}
			for _, want := range p.tools {
				if name := "mcp__" + p.id + "__" + want; !strings.Contains(strings.Join(names, " ")+" ", name+" ") {
					t.Errorf("no tool %s among %q", name, names)
				}
			}
		})
	}
}

// feedOf is a feed with this one connector.
func feedOf(t *testing.T, p published) (feed string) {
	t.Helper()
	feed = t.TempDir()
	dir := filepath.Join(feed, p.id)
	put(t, filepath.Join(feed, "index.json"), []string{p.id})
	for name, document := range documents(p) {
		put(t, filepath.Join(dir, name), document)
	}
	for name, text := range p.files {
		put(t, filepath.Join(dir, name), text)
	}
	for _, icon := range []string{"icon_sm.svg", "icon_lg.svg"} {
		data, err := os.ReadFile(filepath.Join("../../configs/feed/notes", icon))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, icon), string(data))
	}
	if p.lock {
		in(t, dir, "npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved=true")
	}
	in(t, feed, binary(), "author", "compile", feed)
	return feed
}

// documents are the connector's two (guide §1).
func documents(p published) map[string]any {
	runtime, command, entry := "NODE", "node", "index.js"
	if p.registry == "pypi" {
		runtime, command, entry = "PYTHON", "python3", "server.py"
	}
	fragment := map[string]any{
		"id": p.id, "folder": p.id, "name": p.id, "version": 1, "version_string": "1.0.0", "version_release_date": "2026-11-30",
		"type": "mcp_local", "scope": "user", "requires": []string{runtime}, "tags": []string{"test"}, "auth": map[string]any{"type": "none"},
		"icon_small": p.id + "/icon_sm.svg", "icon_large": p.id + "/icon_lg.svg", "user_description": "A published server.",
	}
	connector := map[string]any{
		"launch_command": command + " " + entry, "transport": "stdio",
		"mcp_config":   map[string]any{"command": command, "args": []string{entry}},
		"dependencies": []string{}, "setup_instructions": []string{}, "icon_small": "icon_sm.svg", "icon_large": "icon_lg.svg",
		"docs": []any{map[string]any{"lang": "en", "description": "A published server.", "llm_short_description": "A published server."}},
	}
	for _, same := range []string{"id", "name", "version", "version_string", "version_release_date", "type", "scope", "requires", "tags", "auth"} {
		connector[same] = fragment[same]
	}
	form := []any{}
	for name, value := range p.env {
		form = append(form, map[string]any{"name": name, "label": name, "required": false, "secret": false, "default": value})
	}
	connector["env"] = form
	return map[string]any{"fragment.json": fragment, "connector.json": connector}
}

// put writes a text as it is, and anything else as JSON.
func put(t *testing.T, file string, content any) {
	t.Helper()
	data := []byte(fmt.Sprint(content))
	if _, text := content.(string); !text {
		data, _ = json.Marshal(content)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// in runs a command in a directory.
func in(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
