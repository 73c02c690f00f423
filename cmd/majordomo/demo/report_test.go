package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func answered(id string) Connector {
	return Connector{ID: id, Version: "1.0.0", Tools: []string{"mcp__" + id + "__x"}, runtime: "node 20",
		Sandbox: Sandbox{Layers: []string{"env", "fds"}, Missing: []string{"disk"}},
		Sample:  Sample{Tool: "mcp__" + id + "__x", OK: true, Text: "line one\nline two " + strings.Repeat("x", 80)}}
}

func TestReportOK(t *testing.T) {
	fine, bad := func() (string, error) { return "", nil }, func() (string, error) { return "", errors.New("cannot") }
	cases := []struct {
		name       string
		step       func() (string, error)
		connectors []Connector
		want       bool
	}{
		{"all answered", fine, []Connector{answered("notes"), answered("time")}, true},
		{"one has no registry", fine, []Connector{answered("notes"), {ID: "time", Skipped: true}}, true},
		{"one did not answer", fine, []Connector{answered("notes"), {ID: "time"}}, false},
		{"a step failed", bad, []Connector{answered("notes")}, false},
		{"the daemon never came up", fine, nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := &demo{log: &steps{out: t.Output()}}
			d.log.run("step", c.step)
			if got := d.report(c.connectors).OK; got != c.want {
				t.Errorf("ok is %v, want %v", got, c.want)
			}
		})
	}
}

// Who watches a long step is told that it goes on.
func TestLongStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := &steps{out: &out}
		log.run("short", func() (string, error) { return "", nil })
		log.run("long", func() (string, error) {
			time.Sleep(silence + time.Second) // the bubble's time
			return "", nil
		})
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 3 || !strings.Contains(lines[1], "long") || !strings.Contains(lines[1], "goes on") {
			t.Errorf("%q", lines)
		}
	})
}

// The report's field names are a promise to scripts.
func TestReportJSON(t *testing.T) {
	d := &demo{log: &steps{out: t.Output()}}
	d.log.run("install", func() (string, error) { return "a note", nil })
	d.log.run("call", func() (string, error) { return "", errors.New("cannot <call>") })
	r := d.report([]Connector{answered("notes"), {ID: "time", Tools: []string{}, Skipped: true}})
	r.Connectors[0].Sample.Text = "a <b>"
	for i := range r.Steps {
		r.Steps[i].MS = 7
	}
	var out bytes.Buffer
	if err := r.print(Options{JSON: true, Out: &out}); err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, out.Bytes()); err != nil {
		t.Fatal(err)
	}
	want := `{"ok":false,` +
		`"steps":[{"name":"install","ok":true,"ms":7},{"name":"call","ok":false,"ms":7,"error":"cannot <call>"}],` +
		`"connectors":[` +
		`{"id":"notes","version":"1.0.0","tools":["mcp__notes__x"],"sandbox":{"layers":["env","fds"],"missing":["disk"]},` +
		`"sample":{"tool":"mcp__notes__x","ok":true,"text":"a <b>"}},` +
		`{"id":"time","version":"","tools":[],"sandbox":{"layers":null,"missing":null},` +
		`"sample":{"tool":"","ok":false,"text":""},"skipped":true}]}` + "\n"
	if diff := cmp.Diff(want, compact.String()+"\n"); diff != "" {
		t.Error(diff)
	}
}

func TestTable(t *testing.T) {
	failed := Connector{ID: "files", Version: "2"}
	r := Report{Connectors: []Connector{answered("notes"), answered("pairing"), failed, {ID: "time", Skipped: true}},
		Steps: []Step{{Name: "files: activate", Error: "cannot start"}}}
	var out bytes.Buffer
	if err := r.table(&out); err != nil {
		t.Fatal(err)
	}
	want := `
CONNECTOR  VERSION  RUNTIME  LAYERS  TOOLS  SAMPLE ANSWER
notes      1.0.0    node 20  2       1      line one line two xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
pairing    1.0.0    node 20  2       1      line one line two xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
files      2        -        0       0      (failed)
time       -        -        0       0      (skipped)

sandbox layers in force around notes, pairing: env fds; missing: disk
The demo failed.
  files: activate: cannot start
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
