package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

// report is what `majordomo demo --json` prints.
type report struct {
	OK    bool
	Steps []struct {
		Name  string
		OK    bool
		MS    *float64
		Error string
	}
	Connectors []struct {
		ID, Version string
		Tools       []string
		Sandbox     struct{ Layers []string }
		Sample      struct {
			Tool string
			OK   bool
			Text string
		}
		Skipped bool
	}
}

// The main job: every connector of the example feed whose registry can be reached answers from
// inside a sandbox, and the report says so in the documented shape.
func TestDemo(t *testing.T) {
	out, err := runDemo(t, "--json")
	if err != nil {
		t.Fatalf("demo: %v\n%s", err, out)
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("demo printed no JSON: %v\n%s", err, out)
	}
	if !r.OK || len(r.Connectors) != 5 {
		t.Fatalf("ok is %v with %d connectors\n%s", r.OK, len(r.Connectors), out)
	}
	for _, s := range r.Steps {
		if s.Name == "" || s.MS == nil || s.OK != (s.Error == "") {
			t.Errorf("step %+v does not say what happened", s)
		}
	}
	for _, c := range r.Connectors {
		if registry := registryOf[c.ID]; c.Skipped && (registry == "" || reachable(t, registry)) {
			t.Errorf("%s was skipped though nothing kept it from running", c.ID)
		}
		if c.Skipped {
			t.Logf("%s skipped: its registry cannot be reached", c.ID)
			continue
		}
		if !c.Sample.OK || c.Sample.Text == "" || len(c.Tools) == 0 || len(c.Sandbox.Layers) == 0 || c.Version == "" {
			t.Errorf("%s: %+v", c.ID, c)
		}
	}
}

// With --strict a skipped connector is a failure. A registry on a closed loopback port is one that
// cannot be reached.
func TestDemoStrict(t *testing.T) {
	t.Setenv("npm_config_registry", "http://127.0.0.1:1/")
	t.Setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
	out, err := runDemo(t, "--json", "--strict")
	if exitCode(err) != 1 {
		t.Errorf("exit %d, want 1 (%v)\n%s", exitCode(err), err, out)
	}
	out, err = runDemo(t, "--json")
	var r report
	if json.Unmarshal(out, &r) != nil || err != nil || !r.OK {
		t.Fatalf("without --strict: %v\n%s", err, out)
	}
	for _, c := range r.Connectors {
		if want := registryOf[c.ID] != ""; c.Skipped != want {
			t.Errorf("%s: skipped is %v, want %v", c.ID, c.Skipped, want)
		}
	}
}

func runDemo(t *testing.T, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Getenv("MAJORDOMO_BIN"), append([]string{"demo"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Logf("demo said: %s", errs.String())
	}
	return out, err
}
