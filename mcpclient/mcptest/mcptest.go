// Package mcptest is a scripted connector for tests: a real program that
// behaves, or misbehaves, as its mode says. It exists twice, for Python and for
// Node, with the same modes, on nothing but the standard libraries: server.py
// and index.js are also the list of the modes.
//
// It is for tests and benchmarks only and must never be imported by the product.
package mcptest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Runtime is what a scripted connector runs on.
type Runtime string

// The runtimes.
const (
	Python Runtime = "python3"
	Node   Runtime = "node"
	Shell  Runtime = "sh" // for StartProgram only: no scripted connector is one
)

//go:embed server.py
var serverPy []byte

//go:embed index.js
var indexJS []byte

// entry returns the name and the text of the program.
func (r Runtime) entry() (string, []byte) {
	if r == Node {
		return "index.js", indexJS
	}
	return "server.py", serverPy
}

// WriteConnector makes the folder dir of a connector as a feed has it, whose
// server runs in mode: the program, a file named mode, connector.json and
// fragment.json. The mode "qr" makes it a connector with a QR sign-in. change,
// if not nil, may alter the manifest before it is written.
func WriteConnector(dir, id string, r Runtime, mode string, change func(manifest map[string]any)) error {
	entry, program := r.entry()
	manifest := map[string]any{
		"id": id, "name": "Fake " + id, "version": 1, "version_string": "1.0.0", "version_release_date": "2026-01-01",
		"type": "mcp_local", "scope": "user", "requires": []string{strings.ToUpper(strings.TrimRight(string(r), "3"))},
		"auth": map[string]any{"type": "none"}, "transport": "stdio",
		"mcp_config": map[string]any{"command": string(r), "args": []string{entry}},
		"docs":       []any{map[string]any{"lang": "en", "description": "A scripted connector.", "llm_short_description": "For tests."}},
	}
	if strings.HasPrefix(mode, "qr") {
		manifest["auth"] = map[string]any{"type": "qr"}
	}
	if change != nil {
		change(manifest)
	}
	fragment := map[string]any{"folder": id, "user_description": "A scripted connector."}
	for _, key := range []string{"id", "name", "version", "version_string", "version_release_date", "type", "scope", "requires", "auth"} {
		fragment[key] = manifest[key]
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot write the connector %s: %w", id, err)
	}
	files := map[string][]byte{entry: program, "mode": []byte(mode), "connector.json": encode(manifest), "fragment.json": encode(fragment)}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return fmt.Errorf("cannot write the connector %s: %w", id, err)
		}
	}
	return nil
}

func encode(v map[string]any) []byte {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // only maps, lists, strings and numbers
	}
	return append(b, '\n')
}
