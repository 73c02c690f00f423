package process

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/install"
	"majordomo/supervisor"
)

// Connectors with one tool, which runs a shell line, and helpers from everywhere that code can come from.
var hostile = map[string]map[string]string{
	"python3": {
		"server.py": `import json, subprocess, sys
import helper, dependency
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    r = {}
    if m["method"] == "initialize":
        r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
    elif m["method"] == "tools/list":
        r = {"tools": [{"name": "sh", "inputSchema": {"type": "object"}}]}
    elif m["method"] == "tools/call":
        ran = subprocess.run(["sh", "-c", m["params"]["arguments"]["line"]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        r = {"content": [{"type": "text", "text": helper.WORD + dependency.WORD + ran.stdout}]}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`,
		"helper.py": "WORD = 'helper '\n", "requirements.txt": "dependency\n",
	},
	"node": {
		"index.js": `const { spawnSync } = require("child_process")
const helper = require("./helper"), dependency = require("dependency")
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line)
  if (!("id" in m)) return
  let result = {}
  if (m.method === "initialize") result = { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } }
  if (m.method === "tools/list") result = { tools: [{ name: "sh", inputSchema: { type: "object" } }] }
  if (m.method === "tools/call") result = { content: [{ type: "text", text: helper + dependency + spawnSync("sh", ["-c", m.params.arguments.line], { encoding: "utf8" }).stdout }] }
  console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }))
})
`,
		"helper.js": "module.exports = 'helper '\n", "package.json": `{"dependencies": {"dependency": "1.0.0"}}`,
	},
}

// attacks on what runs, of a connector on itself.
var attacks = []string{
	"for f in server.py index.js helper.py helper.js package.json requirements.txt; do echo evil >$f; chmod u+w $f; echo evil >$f; done",
	"for f in server.py index.js helper.py helper.js; do rm -f $f; echo 'throw 1' >$f; done",
	"for f in server.py index.js helper.py helper.js; do mv $f $f.old; ln -s /etc/passwd $f; done",
	"for f in server.py index.js helper.py helper.js; do mv $f $f.gone; done",
	"for f in node_modules/dependency/index.js .pydeps/dependency.py; do chmod -R u+w node_modules .pydeps; echo evil >$f; rm -f $f; done",
	"for d in node_modules .pydeps; do mv $d old$d; mkdir -p $d/dependency; echo evil >$d/dependency.py; echo evil >$d/dependency/index.js; done",
	"for d in node_modules .pydeps; do mv $d gone$d; ln -s /tmp $d; done",
	"rm -rf node_modules .pydeps", "touch node_modules/evil .pydeps/evil.py", "mount --bind /tmp node_modules",
	"echo 'raise SystemExit(7)' | tee json.py subprocess.py sitecustomize.py usercustomize.py dependency.py >/dev/null; mkdir -p __pycache__ encodings; cp json.py encodings/__init__.py",
	"echo 'process.exit(7)' | tee helper dependency child_process readline.js >/dev/null; mkdir -p helper.d; echo 'import evil' >evil.pth",
	"echo 'registry=http://127.0.0.1:1/' >.npmrc; echo '{}' >package-lock.json; printf '[global]\\nindex-url=http://127.0.0.1:1/\\n' >pip.conf; mkdir -p .cache .npm .config/pip; cp pip.conf .config/pip",
}

// What a connector does to the code it runs fails, or is gone at its next start; another member's copy of the same connector
// sees nothing of it, and neither does what is shared.
func TestHostileConnector(t *testing.T) {
	for command := range hostile {
		for _, way := range []delivery.Way{delivery.Bind, delivery.Copy} {
			t.Run(command+" by "+string(way), func(t *testing.T) {
				h := newHouseWith(t, "native", way)
				if err := h.AddMember(t.Context(), supervisor.Member{Name: "bob"}); err != nil {
					t.Fatal(err)
				}
				h.put("evil", command)
				shared := h.look(h.paths.Connector("evil")) + h.look(h.paths.Tree("k"))
				for _, member := range []string{"ann", "bob"} {
					if _, err := h.Activate(t.Context(), supervisor.Request{Member: member, Connector: "evil"}); err != nil {
						t.Fatal(err)
					}
				}
				code := map[string]string{
					"python3": "cat server.py helper.py requirements.txt .pydeps/dependency.py; echo .pydeps/*; echo ---",
					"node":    "cat index.js helper.js package.json node_modules/dependency/index.js; echo node_modules/* ---",
				}[command]
				all := code + "; ls -AR | grep -v -e install.lock -e '^total'"
				ann, bob := h.sh("ann", code), h.sh("bob", all)
				for _, attack := range attacks {
					h.sh("ann", attack)
					if got := h.sh("bob", all); got != bob {
						t.Errorf("after %s bob sees\n%s\nwant\n%s", attack, got, bob)
					}
					if err := h.Restart(t.Context(), "ann", "evil"); err != nil {
						t.Errorf("after %s: %v", attack, err)
						continue
					}
					if got := h.sh("ann", code); got != ann {
						t.Errorf("after %s and a restart ann sees\n%s\nwant\n%s", attack, got, ann)
					}
				}
				if now := h.look(h.paths.Connector("evil")) + h.look(h.paths.Tree("k")); now != shared {
					t.Errorf("what is shared was\n%s\nand is\n%s", shared, now)
				}
			})
		}
	}
}

// put installs a hostile connector, with a tree.
func (h *house) put(id, command string) {
	h.t.Helper()
	p := install.Package{Dir: h.paths.Connector(id), Digest: digest.Of([]byte(id)), Release: manifest.Release{ID: id, Command: command}}
	p.Release.Args = []string{map[string]string{"python3": "server.py", "node": "index.js"}[command]}
	for name, text := range hostile[command] {
		h.write(filepath.Join(p.Dir, name), text)
		p.Release.Files = append(p.Release.Files, manifest.File{Path: name})
	}
	h.tree = deps.Tree{Key: "k", Dir: h.paths.Tree("k")}
	if command == "node" {
		h.tree.NodeModules = filepath.Join(h.tree.Dir, "node_modules")
		h.write(filepath.Join(h.tree.NodeModules, "dependency/index.js"), "module.exports = 'dependency '\n")
	} else {
		h.tree.PyDeps = filepath.Join(h.tree.Dir, ".pydeps")
		h.write(filepath.Join(h.tree.PyDeps, "dependency.py"), "WORD = 'dependency '\n")
	}
	h.packages[id] = p
}

func (h *house) write(path, text string) {
	h.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		h.t.Fatal(err)
	}
}

// look describes everything below a directory.
func (h *house) look(dir string) string {
	h.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		all.WriteString(path + " " + info.Mode().String())
		if err == nil && info.Mode().IsRegular() {
			var data []byte
			data, err = os.ReadFile(path)
			all.WriteString(" " + digest.Of(data).String())
		}
		all.WriteString("\n")
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return all.String()
}

// sh has the hostile connector run a line; it must answer.
func (h *house) sh(member, line string) string {
	h.t.Helper()
	args, err := json.Marshal(map[string]string{"line": line})
	if err != nil {
		h.t.Fatal(err)
	}
	raw, err := h.Call(h.t.Context(), member, "mcp__evil__sh", args)
	var result struct{ Content []struct{ Text string } }
	if err == nil {
		err = json.Unmarshal(raw, &result)
	}
	if err != nil || len(result.Content) != 1 || !strings.HasPrefix(result.Content[0].Text, "helper dependency ") {
		h.t.Fatalf("%s: %s: %s (%v)", member, line, raw, err)
	}
	return result.Content[0].Text
}
