package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"majordomo/install/author/conformance"
	"majordomo/mcpclient/mcptest"
)

// tells is a server whose name is what it finds: its form, and whether it may start its own script.
const tells = `import json, os, subprocess, sys
found = ",".join("%s=%s" % (k, os.environ.get(k, "-")) for k in ("NEEDED", "BARE", "GIVEN", "DEFAULTED", "OPTIONAL"))
found += "," + subprocess.run([os.path.dirname(os.path.abspath(__file__)) + "/helper.sh"], capture_output=True, text=True).stdout
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": found, "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
        break
`

// What the form does not have is refused, as the daemon refuses it.
func TestUnknownField(t *testing.T) {
	for _, o := range []conformance.Options{{Set: map[string]string{"TYPO": "x"}}, {Secrets: map[string]string{"TYPO": "x"}}} {
		_, err := conformance.Run(t.Context(), strict(t, "none", qr), o)
		if err == nil || err.Error() != "cannot set TYPO: the connector's form has only QR" {
			t.Errorf("%v", err)
		}
	}
}

// It finds what it would find after an install and an activation.
func TestPlaceIsLikeTheDaemons(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fake")
	err := mcptest.WriteConnector(dir, "fake", mcptest.Python, "good", func(m map[string]any) {
		m["env"] = []any{
			map[string]any{"name": "NEEDED", "required": true, "example": "an example"}, map[string]any{"name": "BARE", "required": true},
			map[string]any{"name": "GIVEN", "required": true}, map[string]any{"name": "DEFAULTED", "default": "d", "example": "x"},
			map[string]any{"name": "OPTIONAL", "example": "x"},
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"server.py": tells, "helper.sh": "#!/bin/sh\necho helped\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report, err := conformance.Run(t.Context(), dir, conformance.Options{Runtimes: &found, Patience: patience, Set: map[string]string{"GIVEN": "given"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "NEEDED=an example,BARE=test,GIVEN=given,DEFAULTED=d,OPTIONAL=-,helped"
	if len(report.Checks) < 2 || !strings.Contains(report.Checks[1].Message, want) {
		t.Errorf("%+v\nwant %s", report.Checks, want)
	}
}
