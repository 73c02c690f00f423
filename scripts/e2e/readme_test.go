package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What README says to type works as it stands there. The daemon alone is started by the test, on a
// free port: the one in the README may be taken.
func TestReadme(t *testing.T) {
	h := emptyHouse(t)
	script := []string{"set -eu"}
	for _, line := range readmeBlock(t, "## Running it") {
		if !strings.HasPrefix(line, "majordomo serve ") && !strings.HasPrefix(line, "export PATH=") {
			script = append(script, line)
		}
	}
	if len(script) < 6 {
		t.Fatalf("too few lines in the README: %q", script)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.Join(script, "\n"))
	cmd.Env = append(os.Environ(), "MAJORDOMO_STATE="+h.state, "PATH="+filepath.Dir(h.bin)+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "milk") {
		t.Errorf("%v\n%s", err, out)
	}
}

// readmeBlock returns the lines of the first indented block below a heading.
func readmeBlock(t *testing.T, heading string) []string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), heading+"\n")
	var block []string
	for line := range strings.Lines(after) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			block = append(block, strings.TrimSpace(code))
		} else if len(block) > 0 {
			break
		}
	}
	return block
}
