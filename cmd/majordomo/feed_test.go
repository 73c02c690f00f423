package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"rsc.io/qr"
)

type object = map[string]any

// connectors of the test feed: testdata/server.py with an argument, and what their manifests say besides.
func connectors() map[string]object {
	return map[string]object{
		"good":    {},
		"exits":   {},
		"silent":  {},
		"floods":  {},
		"garbage": {},
		"link":    {"auth": object{"type": "qr"}},
		"picky": {
			"auth": object{"type": "api_key"},
			"env": []object{
				{"name": "HOST", "label": "Host", "required": true},
				{"name": "KEY", "label": "Key", "required": true, "secret": true},
			},
			"verify": object{"command": `python3 -c "import os, sys; sys.exit(os.environ['KEY'].split() != ['open', 'sesame'])"`},
		},
		"browser": {"auth": object{"type": "oauth2", "provider": "google"}},
		"house":   {"scope": "global"},
		"afar": {
			"type": "mcp_remote", "transport": "streamable-http",
			"mcp_config": object{"url": "https://mcp.example.org/mcp"},
		},
	}
}

// writeFeed writes and compiles the test feed.
func writeFeed(dir string) error {
	server, err := os.ReadFile("testdata/server.py")
	if err != nil {
		return err
	}
	code, err := qr.Encode("https://link.example.org/pair", qr.L)
	if err != nil {
		return err
	}
	var ids []string
	all := connectors()
	for _, id := range slices.Sorted(maps.Keys(all)) {
		manifest := object{
			"id": id, "name": "The " + id + " one", "version": 1, "version_string": "1.0.0", "type": "mcp_local", "scope": "user",
			"transport": "stdio", "auth": object{"type": "none"},
			"mcp_config": object{"command": "python3", "args": []string{"server.py", id}},
			"docs":       []object{{"lang": "en", "description": "Behaves as its name says."}},
		}
		for key, value := range all[id] {
			manifest[key] = value
		}
		fragment := object{"id": id, "name": manifest["name"], "version": 1, "version_string": "1.0.0", "type": manifest["type"],
			"scope": manifest["scope"], "folder": id, "user_description": "Behaves as its name says."}
		for name, content := range map[string][]byte{
			"server.py": server, "code.data": code.PNG(), "connector.json": text(manifest), "fragment.json": text(fragment),
		} {
			if err := write(filepath.Join(dir, id, name), content); err != nil {
				return err
			}
		}
		ids = append(ids, id)
	}
	if err := write(filepath.Join(dir, "index.json"), text(ids)); err != nil {
		return err
	}
	if out, err := exec.Command(filepath.Join(binDir, "majordomo"), "author", "compile", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("author compile: %s", out)
	}
	return nil
}

func text(v any) []byte {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // cannot happen: maps and strings only
	}
	return append(data, '\n')
}

func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
