package supervisor

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"majordomo/configs/manifest"
	"majordomo/supervisor/vault"
)

var mailForm = []manifest.Env{
	{Name: "HOST", Required: true, Description: "IMAP server"},
	{Name: "PASSWORD", Required: true, Secret: true},
	{Name: "PORT", Default: "993"},
	{Name: "NOTE"},
}

func TestFormProblems(t *testing.T) {
	for _, c := range []struct {
		why          string
		set, secrets map[string]string
		want         []string // beginnings
	}{
		{"complete", map[string]string{"HOST": "h", "PASSWORD": "p"}, nil, nil},
		{"a secret given as one", map[string]string{"HOST": "h"}, map[string]string{"PASSWORD": "p"}, nil},
		{"everything wrong at once",
			map[string]string{"PORTT": "1", "HOST": "", "NOTE": "a\x00b"}, map[string]string{"TOKEN": "t"},
			[]string{"HOST is required (IMAP server)", "PASSWORD is required", "NOTE holds a zero byte", "PORTT is unknown: this connector asks for HOST, PASSWORD, PORT, NOTE", "TOKEN is unknown"}},
		{"too long", map[string]string{"HOST": strings.Repeat("x", maxValue+1), "PASSWORD": "p"}, nil, []string{"HOST is longer than 100 KiB"}},
	} {
		got := values{}.with(mailForm, c.set, c.secrets).problems(mailForm)
		ok := slices.EqualFunc(got, c.want, func(g, w string) bool { return strings.HasPrefix(g, w) })
		if !ok {
			t.Errorf("%s: got %q, want %q", c.why, got, c.want)
		}
	}
	if got := (values{}).with(nil, map[string]string{"A": "1"}, nil).problems(nil); len(got) != 1 || got[0] != "A is unknown: this connector asks for no values" {
		t.Errorf("got %q", got)
	}
}

// Where a value goes is decided by the form and by how it was given; a change
// moves it.
func TestFormKeepsSecretsApart(t *testing.T) {
	v := values{}.with(mailForm, map[string]string{"HOST": "h", "PASSWORD": "p"}, map[string]string{"NOTE": "n"})
	check := func(v values, plain map[string]string, sealed ...string) {
		t.Helper()
		if d := cmp.Diff(plain, v.plain); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(sealed, slices.Sorted(maps.Keys(v.sealed))); d != "" {
			t.Error(d)
		}
	}
	check(v, map[string]string{"HOST": "h"}, "NOTE", "PASSWORD")
	check(v.with(mailForm, map[string]string{"NOTE": "open"}, map[string]string{"HOST": "x"}), map[string]string{"NOTE": "open"}, "HOST", "PASSWORD")
	check(v.complete(mailForm), map[string]string{"HOST": "h", "PORT": "993"}, "NOTE", "PASSWORD")
	check(v.within(mailForm[:1]), map[string]string{"HOST": "h"}, []string(nil)...)
	if got := v.all(); got["PASSWORD"] != "p" || got["HOST"] != "h" || len(got) != 3 {
		t.Errorf("the process would get %v", got)
	}
}

func TestFormDefaultsYield(t *testing.T) {
	v := values{plain: map[string]string{"PORT": ""}, sealed: map[string]vault.Secret{}}
	if got, given := v.complete(mailForm).get("PORT"); got != "" || !given {
		t.Errorf("an empty value that was given became %q", got)
	}
}
