package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestIndexThatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "it is empty",
		" <html>":                      "it is a web page, not JSON",
		"[]":                           "it is a list, want an object",
		"{}":                           `no "connectors" list`,
		`{"connectors":null}`:          `no "connectors" list`,
		`{"connectors":{}}`:            "what stands at /connectors has the wrong type",
		`{"connectors":[]} trailing`:   "it is not valid JSON",
		`{"connectors":[{"id":"a"]}`:   "it is not valid JSON",
		`{"error":"rate limited"}`:     `no "connectors" list`,
		strings.Repeat(`{"a":`, 20000): "it is not valid JSON",
	} {
		if _, err := ParseIndex([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// One bad entry is one bad card, in its place.
func TestBadEntriesStayApart(t *testing.T) {
	good := string(goodEntry.json())
	bad := []string{
		`null`, `7`, `"notes"`, `[]`, `{}`, `{"id":7}`, `{"id":null}`, `{"id":"../x"}`, `{"id":"/etc"}`,
		`{"id":"a","id":"b"}`, "{\"id\":\"\xff\"}", `{"id":"c","folder":"../x"}`, `{"id":"d","files":[{"path":"x"}]}`,
		`{"id":"e","files":7}`, good, // the same id a second time
	}
	idx, err := ParseIndex([]byte(`{"connectors":[` + good + "," + strings.Join(bad, ",") + `,{"id":"last"}]}`))
	if err != nil || len(idx.Entries) != len(bad)+2 {
		t.Fatalf("%d entries, %v", len(idx.Entries), err)
	}
	for i, e := range idx.Entries[1 : len(bad)+1] {
		if e.Degraded(fmt.Errorf("x")); len(e.problems) == 0 {
			t.Errorf("%s: no problem found", bad[i])
		}
	}
	if first := idx.Entries[0]; first.ID != "notes" || len(first.problems) != 0 {
		t.Errorf("the good entry: %+v", first)
	}
	if last := idx.Entries[len(bad)+1]; last.ID != "last" || !last.Named() {
		t.Errorf("the last entry: %+v", last)
	}
}

func TestTooManyEntries(t *testing.T) {
	text := `{"connectors":[` + strings.Repeat("{},", MaxEntries) + `{}]}`
	idx, err := ParseIndex([]byte(text))
	if err != nil || len(idx.Entries) != MaxEntries || len(idx.Problems) != 1 {
		t.Errorf("%d entries, %v, %v", len(idx.Entries), idx.Problems, err)
	}
}

func TestCheckID(t *testing.T) {
	for id, ok := range map[string]bool{
		"a": true, "gmail": true, "a-b_c.d": true, "7zip": true, strings.Repeat("a", 64): true,
		"": false, ".": false, "..": false, "../x": false, "/abs": false, "a/b": false, "a..b": false, "A": false,
		"-a": false, ".hidden": false, "a b": false, "a\n": false, "ä": false, `a\b`: false, strings.Repeat("a", 65): false,
	} {
		if err := CheckID(id); (err == nil) != ok {
			t.Errorf("CheckID(%q) = %v", id, err)
		}
	}
}

func TestCheckPaths(t *testing.T) {
	for _, tt := range []struct {
		paths string // space separated
		want  string
	}{
		{"server.py lib/a.py lib/b.py lib/sub/c.py .npmrc a..b", ""},
		{"/etc/passwd", "absolute"},
		{"../x", "plain relative"},
		{"a/../../x", "plain relative"},
		{"./a", "plain relative"},
		{"a//b", "plain relative"},
		{"a/", "plain relative"},
		{"..", "plain relative"},
		{`a\..\b`, "backslash"},
		{"c:x", "colon"},
		{"a\x00b", "no file name should"},
		{"a\u0085b", "no file name should"},
		{"a\x1b[2Jb", "no file name should"},
		{"\xff", "no file name should"},
		{strings.Repeat("a", 256), "255"},
		{strings.Repeat("a/", 256) + "a", "512"},
		{"a a", "same name"},
		{"a A", "same name"},
		{"a a/b", "is a file and"},
		{"a/b A", "is a file and"},
		{"lib/a LIB/b", "differ by case only"},
		{"auth/session.json", "not the publisher's"},
		{"auth", "not the publisher's"},
		{"Node_Modules/x", "not the publisher's"},
		{".pydeps/x", "not the publisher's"},
		{".skald-install.lock", "not the publisher's"},
		{Receipt, "not the publisher's"},
		{"src/auth/x", ""}, // only the top of the package is reserved
	} {
		err := CheckPaths(strings.Split(tt.paths, " "))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60q: %v, want %q", tt.paths, err, tt.want)
		}
	}
	if err := CheckPath(""); err == nil {
		t.Error("the empty path was accepted")
	}
}

// Garbage of a few bytes does not become sentences without end.
func TestManyProblems(t *testing.T) {
	for name, files := range map[string]string{
		"no objects":  strings.Repeat("1,", 10000) + "1",
		"empty files": strings.Repeat("{},", 10000) + "{}",
	} {
		idx, err := ParseIndex([]byte(`{"connectors":[{"id":"a","files":[` + files + `]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		r := idx.Entries[0].Release([]byte(`{"env":[` + files + `],"tools":[` + files + `]}`))
		if len(r.Problems) > maxProblems+10 || len(r.Files) > MaxFiles+2 || r.Installable() == nil {
			t.Errorf("%s: %d problems, %d files, %v", name, len(r.Problems), len(r.Files), r.Installable())
		}
	}
}

// An error does not get lost in a crowd of warnings.
func TestErrorAfterManyWarnings(t *testing.T) {
	idx, err := ParseIndex([]byte(`{"connectors":[` + string(goodEntry.json()) + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	wish := `{"tools":[` + strings.Repeat("1,", 1000) + `1],"x_majordomo":{"mounts":["everything"]}}`
	r := idx.Entries[0].Release([]byte(wish))
	if err := r.Installable(); err == nil || !strings.Contains(err.Error(), "everything") {
		t.Errorf("%d problems, %v", len(r.Problems), err)
	}
}

func TestIndexAge(t *testing.T) {
	noon := time.Date(2030, 1, 31, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]Index{
		`"x":1`:            {},
		`"sequence":7`:     {Sequence: 7},
		`"sequence":null`:  {},
		`"sequence":"7"`:   {Sequence: 7}, // like a version
		`"sequence":-1`:    {Problems: []Problem{{Where: "index: sequence"}}},
		`"sequence":1.5`:   {Problems: []Problem{{Where: "index: sequence"}}},
		`"sequence":1e300`: {Problems: []Problem{{Where: "index: sequence"}}},
		`"sequence":[]`:    {Problems: []Problem{{Where: "index: sequence"}}},
		`"sequence":9,"expires":"2030-01-31T12:00:00Z"`: {Sequence: 9, Expires: noon},
		`"expires":"2030-01-31T14:00:00+02:00"`:         {Expires: noon},
		`"expires":"2030-01-31"`:                        {Problems: []Problem{{Where: "index: expires"}}},
		`"expires":1896091200`:                          {Problems: []Problem{{Where: "index: expires"}}},
	} {
		idx, err := ParseIndex([]byte(`{"connectors":[],` + text + `}`))
		if err != nil || idx.Sequence != want.Sequence || !idx.Expires.Equal(want.Expires) || len(idx.Problems) != len(want.Problems) {
			t.Errorf("%s: %+v, %v", text, idx, err)
		}
		for i, p := range want.Problems {
			if got := idx.Problems[i]; got.Where != p.Where || got.Severity != Error {
				t.Errorf("%s: %+v", text, got)
			}
		}
	}
}
