package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
)

// A connector that tries everything gets nowhere, and neither the daemon nor the connectors beside it
// notice. The table says of each attempt what held it; scripts/hostile prints it.
func TestHostile(t *testing.T) {
	everyUser(t, func(t *testing.T, user *syscall.Credential) {
		h := hostileHouse(t, user)
		targets := h.targets()
		before := h.instanceOf("bob", "notes")
		table := tabwriter.NewWriter(t.Output(), 0, 0, 2, ' ', 0)
		defer table.Flush()
		for _, a := range attempts(t) {
			row := h.try(a, targets)
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", a.script, a.tries, row.layers, row.verdict, row.control)
			if row.fault != "" {
				t.Errorf("%s (%s): %s", a.script, a.tries, row.fault)
			}
		}
		h.undisturbed(before)
	})
}

// everyUser runs a test as root and as somebody without privileges, or only as whoever runs it.
func everyUser(t *testing.T, test func(*testing.T, *syscall.Credential)) {
	if os.Geteuid() != 0 {
		test(t, nil)
		return
	}
	t.Run("as root", func(t *testing.T) { test(t, nil) })
	t.Run("as an ordinary user", func(t *testing.T) { test(t, &syscall.Credential{Uid: 4001, Gid: 4001}) })
}

// attempt is one script of the hostile connector.
type attempt struct {
	script  string
	tries   string   // in words
	layers  []string // each of them holds it; none = what no host lacks
	control bool     // whether a host that does not confine it lets it succeed
}

const hostileFolder = "../../sandbox/sandboxtest/hostile"

// attempts reads what the scripts say of themselves in their first lines.
func attempts(t *testing.T) []attempt {
	t.Helper()
	scripts, err := filepath.Glob(hostileFolder + "/attempts/*-*.*")
	if err != nil || len(scripts) < 60 {
		t.Fatalf("%d attempts, %v", len(scripts), err)
	}
	var all []attempt
	for _, path := range scripts {
		a := attempt{script: filepath.Base(path), control: true}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		a.read(string(text))
		all = append(all, a)
	}
	return all
}

// read takes what the comment at the head of a script says.
func (a *attempt) read(script string) {
	for line := range strings.Lines(script) {
		words := strings.TrimSpace(strings.TrimLeft(line, "#/"))
		if !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "// ") {
			return
		}
		switch name, value, _ := strings.Cut(words, ": "); name {
		case "held by":
			a.layers = strings.Split(value, ", ")
		case "control":
			a.control = false
		default:
			a.tries = words
		}
	}
}

// row is what became of an attempt. It is at fault when it succeeded, or cannot show anything.
type row struct{ layers, verdict, control, fault string }

// try runs an attempt in the sandbox, and outside of it to see that it would succeed there.
func (h *house) try(a attempt, targets map[string]string) row {
	inForce := h.instanceOf("ann", "hostile").Sandbox.Layers
	holding := slices.DeleteFunc(slices.Clone(a.layers), func(l string) bool { return !slices.Contains(inForce, l) })
	r := row{layers: strings.Join(holding, " ")}
	inside, err := h.inside(a.script, targets)
	switch {
	case err != nil: // it was ended for it
		r.verdict = "held: " + ended{Said: err.Error()}.words(targets)
		h.ok("restart", "hostile", "--member", "ann") // or it is left alone for a while, and what it would try next is not tried
	case inside.Code == notThere:
		r.verdict = "not tried: " + inside.words(targets)
	case inside.Code != 0:
		r.verdict = "held: " + inside.words(targets)
	case len(a.layers) > 0 && len(holding) == 0:
		r.verdict = "open: this host has no layer " + strings.Join(a.layers, " or ") + ", as status says"
	default:
		r.verdict, r.fault = "SUCCEEDED", "it succeeded"
	}
	var outside ended
	if a.control && os.Geteuid() == 0 && long() {
		outside = h.outside(a.script, targets)
		r.control = "succeeds outside"
		if outside.Code != 0 {
			r.control = "outside: " + outside.words(targets)
		}
	}
	if said := inside.Said + outside.Said; broken.MatchString(said) {
		r.fault = "the script is wrong: " + said
	}
	return r
}

// notThere is how a shell ends whose program this host does not have.
const notThere = 127

func long() bool { return os.Getenv("MAJORDOMO_LONG") != "" }

// broken tells a script that does not do what it means to from one that was held.
var broken = regexp.MustCompile(`SyntaxError|NameError|TypeError|AttributeError|KeyError|ImportError|ModuleNotFound|IndentationError|Syntax error`)

// ended is how a script ended, and the last that it said.
type ended struct {
	Code int
	Said string
}

func (h *house) inside(script string, targets map[string]string) (ended, error) {
	var e ended
	answer, err := h.hostile("attempt", map[string]any{"script": script, "targets": targets})
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal([]byte(answer), &e); err != nil {
		h.t.Fatalf("%v: %s", err, answer)
	}
	return e, nil
}

// outside runs a copy of an attempt as the user of the test, who is root.
func (h *house) outside(script string, targets map[string]string) ended {
	dir := h.t.TempDir()
	if out, err := exec.Command("cp", "-r", hostileFolder+"/attempts/.", dir).CombinedOutput(); err != nil {
		h.t.Fatalf("%v\n%s", err, out)
	}
	interpreter := map[string]string{".py": "python3", ".js": "node", ".sh": "sh"}[filepath.Ext(script)]
	cmd := exec.CommandContext(h.t.Context(), interpreter, filepath.Join(dir, script))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), h.env...)
	for name, value := range targets {
		cmd.Env = append(cmd.Env, "TARGET_"+name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	return ended{exitCode(err), string(out)}
}

// words are the line that says most of how a script ended.
func (e ended) words(targets map[string]string) string {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(e.Said, targets["STATE"], "<state>")), "\n")
	said := lines[len(lines)-1]
	for _, line := range slices.Backward(lines) {
		if strings.Contains(line, "Error:") && !strings.HasPrefix(line, " ") {
			said = line
			break
		}
	}
	if said == "" {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return said[:min(len(said), 90)]
}
