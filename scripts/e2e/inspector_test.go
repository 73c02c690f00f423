package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The inspector is the reference client of the protocol: what it can list and call, a desktop
// agent can.
const inspector = "@modelcontextprotocol/inspector@2.12.0"

func TestInspector(t *testing.T) {
	needRegistry(t, "npm")
	h := newHouse(t)
	ids := h.activateAll()
	var token struct{ Token string }
	h.read(&token, "token", "create", "--member", "ann", "--name", "inspector")
	var status struct{ Listen string }
	h.read(&status, "status")

	doors := map[string][]string{
		"mcp over http": {"http://" + status.Listen + "/mcp", "--transport", "http",
			"--header", "Authorization: Bearer " + token.Token},
		"stdio bridge": {h.bin, "mcp", "--state", h.state, "--member", "ann"},
	}
	program := installInspector(t)
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			inspect := inspection{t: t, program: program, home: t.TempDir(), door: door}
			tools := inspect.tools()
			for _, id := range ids {
				if !slices.ContainsFunc(tools, func(name string) bool { return strings.HasPrefix(name, "mcp__"+id+"__") }) {
					t.Errorf("no tool of %s in %v", id, tools)
				}
			}
			for tool, want := range inspectorCalls(ids) {
				if got := inspect.call(tool.name, tool.args); !strings.Contains(got, want) {
					t.Errorf("%s answered %s, want %q in it", tool.name, got, want)
				}
			}
		})
	}
}

type sampleCall struct{ name, args string }

// inspectorCalls pairs one call per connector with what its answer must hold.
func inspectorCalls(ids []string) map[sampleCall]string {
	all := map[string]map[sampleCall]string{
		"notes":      {{"mcp__notes__list_notes", `{}`}: "content"},
		"everything": {{"mcp__everything__get-sum", `{"a":19,"b":23}`}: "42"},
		"files":      {{"mcp__files__list_allowed_directories", `{}`}: "/root/files"},
		"time":       {{"mcp__time__get_current_time", `{"timezone":"Europe/Rome"}`}: "Europe/Rome"},
	}
	calls := map[sampleCall]string{}
	for _, id := range ids {
		for call, want := range all[id] {
			calls[call] = want
		}
	}
	return calls
}

// installInspector brings the pinned inspector into the user's cache, once, and returns its program.
func installInspector(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "majordomo-tests", "inspector-2.12.0")
	program := filepath.Join(dir, "node_modules", ".bin", "mcp-inspector")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--prefix", dir, inspector)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("cannot install the inspector: %v\n%s", err, out)
	}
	return program
}

// inspection is the inspector before one door.
type inspection struct {
	t             *testing.T
	program, home string
	door          []string
}

func (i inspection) tools() []string {
	var list struct{ Tools []struct{ Name string } }
	i.decode(i.run("--method", "tools/list"), &list)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func (i inspection) call(tool, args string) string {
	return i.run("--method", "tools/call", "--tool-name", tool, "--tool-args-json", args)
}

// run gives the inspector its own flags first: the command of a stdio door follows after "--".
func (i inspection) run(ask ...string) string {
	i.t.Helper()
	args := slices.Concat([]string{"--cli"}, i.door, ask)
	if !strings.HasPrefix(i.door[0], "http") {
		args = slices.Concat([]string{"--cli"}, ask, []string{"--"}, i.door)
	}
	cmd := exec.CommandContext(i.t.Context(), i.program, args...)
	cmd.Env = append(os.Environ(), "HOME="+i.home)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		i.t.Fatalf("inspector %s: %v\n%s%s", strings.Join(ask, " "), err, out, errs.String())
	}
	return string(out)
}

func (i inspection) decode(text string, into any) {
	i.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		i.t.Fatalf("the inspector printed no JSON: %v\n%s", err, text)
	}
}
