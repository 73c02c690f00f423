package conformance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordomo/install/author/conformance"
	"majordomo/mcpclient/mcptest"
)

// strict writes the connector of testdata/server.py with one fault; change may alter its manifest.
func strict(t *testing.T, fault string, change func(manifest map[string]any)) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "strict")
	if err := mcptest.WriteConnector(dir, "strict", mcptest.Python, "-", change); err != nil {
		t.Fatal(err)
	}
	server, err := os.ReadFile("testdata/server.py")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"server.py": server, "fault": []byte(fault)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func qr(m map[string]any) {
	m["auth"] = map[string]any{"type": "qr"}
	m["env"] = []any{map[string]any{"name": "QR", "default": "1"}}
}

func echo(arguments string) []conformance.Call {
	return []conformance.Call{{Tool: "echo", Arguments: json.RawMessage(arguments)}}
}

// faultCase is one fault: the only check that fails, in brackets when it is a warning, and what it says.
type faultCase struct {
	fault, bad, says string
	change           func(map[string]any)
	call             []conformance.Call
}

var faultCases = []faultCase{
	{fault: "none"},
	{fault: "none, calls", call: echo(`{"text":"hello"}`)},
	{fault: "none, qr", change: qr},
	{fault: "no-name", bad: "initialize", says: "serverInfo has no name"},
	{fault: "no-capability", bad: "initialize", says: "capabilities has no tools"},
	{fault: "answers-notifications", bad: "notifications", says: "a message without an id was answered"},
	{fault: "late-answer", bad: "stdout", says: "initialized"},
	{fault: "pong", bad: "(ping)", says: "not empty"},
	{fault: "ping-params", bad: "ping", says: "without params"},
	{fault: "no-description", bad: "tools-list", says: "shout has no description"},
	{fault: "twice", bad: "tools-list", says: "echo is listed twice"},
	{fault: "no-title", bad: "(tool-titles)", says: "no title: shout"},
	{fault: "none, unknown title", bad: "(tool-titles)", says: "connector.json names tools that there are not: Shout", change: func(m map[string]any) {
		m["tools"] = []any{map[string]any{"name": "Shout", "display_name": "Shout"}}
	}},
	{fault: "zero", bad: "id-types", says: "the id 0"},
	{fault: "absolute", bad: "id-types", says: "the id -3"},
	{fault: "short-ids", bad: "id-types", says: "the id \"01234567-89ab"},
	{fault: "knows-all", bad: "unknown-method", says: "answered with a result"},
	{fault: "odd-code", bad: "(unknown-method)", says: "the error code is 1"},
	{fault: "any-tool", bad: "unknown-tool", says: "called with success"},
	{fault: "lax", bad: "tool-errors", says: "shout without its arguments looks like success"},
	{fault: "rpc-error", bad: "(tool-errors)", says: "echo without its arguments was answered with the error"},
	{fault: "invalid-params"},
	{fault: "dies", bad: "tool-errors", says: "echo: it exited with code 9"},
	{fault: "none, unknown call", bad: "calls", says: "there is no tool Echo", call: []conformance.Call{{Tool: "Echo"}}},
	{fault: "none, failed call", bad: "calls", says: "echo failed: text is missing", call: echo(`{}`)},
	{fault: "no-content", bad: "calls", says: "want {content: […]}", call: echo(`{"text":"x"}`)},
	{fault: "no-type", bad: "calls", says: "content[0] has no type", call: echo(`{"text":"x"}`)},
	{fault: "no-text", bad: "calls", says: "content[0] is a text without text", call: echo(`{"text":"x"}`)},
	{fault: "no-logout", bad: "login", says: "there is no tool logout", change: qr},
	{fault: "login-state", bad: "login", says: `"waiting"`, change: qr},
	{fault: "login-text", bad: "login", says: "JSON object", change: qr},
	{fault: "login-no-qr", bad: "login", says: "need_scan without a qr", change: qr},
	{fault: "login-no-png", bad: "login", says: "no PNG", change: qr},
	{fault: "login-not-base64", bad: "login", says: "no PNG", change: qr},
	{fault: "login-late-qr", bad: "login", says: "although its state is connecting", change: qr},
	{fault: "login-no-message", bad: "(login)", says: "no message", change: qr},
	{fault: "dies-on-garbage", bad: "malformed-line", says: "exited with code 1"},
	{fault: "dies-on-null", bad: "malformed-line", says: "exited with code 1"},
	{fault: "short-lines", bad: "(long-line)", says: "exited with code 1"},
	{fault: "exit-4", bad: "(exit-on-eof)", says: "code 4"},
}

// Each check has a server that passes it and one that fails it and nothing else.
func TestEachFault(t *testing.T) {
	for _, tt := range faultCases {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			fault, _, _ := strings.Cut(tt.fault, ",")
			o := conformance.Options{Runtimes: &found, Patience: patience, Call: tt.call}
			if tt.bad == "id-types" {
				o.Patience = 3 * time.Second // these wait for what never comes
			}
			report, err := conformance.Run(t.Context(), strict(t, fault, tt.change), o)
			if err != nil {
				t.Fatal(err)
			}
			want := []string{tt.bad}
			if tt.bad == "" {
				want = nil
			}
			if got := bad(report); !slices.Equal(got, want) {
				t.Errorf("found %q, want %q: %+v", got, want, report.Checks)
			}
			name := strings.Trim(tt.bad, "()")
			i := slices.IndexFunc(report.Checks, func(c conformance.Check) bool { return c.Name == name })
			if i >= 0 && !strings.Contains(report.Checks[i].Message, tt.says) {
				t.Errorf("%s says %q, want %q", name, report.Checks[i].Message, tt.says)
			}
			if report.OK != (tt.bad == "" || tt.bad[0] == '(') {
				t.Errorf("ok is %v", report.OK)
			}
		})
	}
}

// What was given as a secret is in no report, whoever says it.
func TestSecretsAreNotTold(t *testing.T) {
	key := func(m map[string]any) {
		m["env"] = []any{map[string]any{"name": "KEY", "secret": true, "required": true}}
	}
	given := map[string]string{"KEY": "s3cret-value"}
	for _, o := range []conformance.Options{{Secrets: given}, {Set: given}} {
		o.Runtimes, o.Patience, o.Call = &found, patience, echo(`{"text":"x"}`)
		report, err := conformance.Run(t.Context(), strict(t, "says-secret", key), o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(report)
		if err != nil || strings.Contains(string(text), "s3cret-value") || !strings.Contains(string(text), "the key is [redacted]") {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// The manual names every check, and every check has a server that breaks it.
func TestChecksAreKnown(t *testing.T) {
	manual, err := os.ReadFile("../../../docs/authoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range conformance.Names() {
		if !strings.Contains(string(manual), "| `"+name+"` |") {
			t.Errorf("docs/authoring.md does not name the check %s", name)
		}
		broken := slices.ContainsFunc(faultCases, func(c faultCase) bool { return strings.Trim(c.bad, "()") == name })
		if !broken && name != "installable" && name != "dependencies" { // these have tests of their own
			t.Errorf("no server breaks %s", name)
		}
	}
}
