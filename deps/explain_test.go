package deps

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"majordomo/configs"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name  string
		phase string
		err   error
		lines []string
		says  []string
	}{
		{"the limit", phaseScripts, context.DeadlineExceeded, []string{"building…"}, []string{"npm scripts: stopped at the limit of 5m0s", "\n  building…"}},
		{"changed bytes", phaseNPM, errors.New("npm ci failed"), []string{"npm error code EINTEGRITY"}, []string{"do not match the digest", "tell the publisher"}},
		{"a script that failed", phaseScripts, errors.New("npm failed"), []string{"cannot download"}, []string{"deps.scripts"}},
		{"no compiler", phaseScripts, errors.New("npm failed"), []string{"gyp ERR! stack Error: not found: make"}, []string{"build-essential"}},
		{"no wheel", phasePip, errors.New("pip failed"), []string{"ERROR: No matching distribution found for x==9"}, []string{"fits this platform"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &job{Builder: New(Options{Paths: configs.Paths{State: t.TempDir()}}), plan: &plan{pkg: Package{ID: "demo"}}}
			j.phase, j.lines, j.start = c.phase, c.lines, time.Now().Add(-time.Minute)
			e := j.explain(t.Context(), c.err)
			for _, word := range append(c.says, "cannot install the dependencies of demo: ") {
				if !strings.Contains(e.Error(), word) {
					t.Errorf("%q does not say %q", e, word)
				}
			}
		})
	}
}

// What is configured but empty hides nothing, and of two secrets that begin alike no rest is left.
func TestHidden(t *testing.T) {
	o := output{hide: hider([]string{"", "yes", "s3cret", "s3cret-and-more"}), tell: func(string) {}}
	o.add("npm error code EUSAGE for s3cret-and-more, yes")
	if want := "npm error code EUSAGE for ***, yes"; o.lines[0] != want {
		t.Errorf("%q, want %q", o.lines[0], want)
	}
}

// Downloads that went well are not the last words.
func TestTail(t *testing.T) {
	words := tail([]string{"npm http fetch GET 200 http://a.test/x 5ms", "npm error code X", "npm http fetch GET 200 http://a.test/y"})
	if len(words) != 1 || words[0] != "npm error code X" {
		t.Errorf("tail is %q", words)
	}
	if words := tail(make([]string, 100)); len(words) != tailLines {
		t.Errorf("tail has %d lines", len(words))
	}
}

func TestFailuresAreRememberedForAWhile(t *testing.T) {
	var f failures
	if f.recent("k") != nil {
		t.Error("remembers what never happened")
	}
	f.add("k", &InstallError{Connector: "demo", Phase: phasePip, Elapsed: 1, Err: errors.New("broken")})
	var again *InstallError
	if err := f.recent("k"); !errors.As(err, &again) || again.RetryAt.IsZero() || !strings.Contains(err.Error(), "tried again from") {
		t.Errorf("remembers %v", err)
	}
	first := f.byKey["k"].pause
	f.add("k", &InstallError{})
	if second := f.byKey["k"].pause; second != 2*first {
		t.Errorf("pauses %v, then %v", first, second)
	}
	f.forget("k")
	if f.recent("k") != nil {
		t.Error("remembers after success")
	}
}
