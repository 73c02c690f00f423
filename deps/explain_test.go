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

// A registry that shows or wants a certificate is there: nobody is told that it does not answer.
func TestAnsweringRegistryIsNotBlamed(t *testing.T) {
	for _, line := range []string{"npm error code SELF_SIGNED_CERT_IN_CHAIN", "tlsv13 alert certificate required", "npm error code CERT_HAS_EXPIRED"} {
		j := &job{Builder: New(Options{Paths: configs.Paths{State: t.TempDir()}}), plan: &plan{pkg: Package{ID: "demo"}}}
		j.phase, j.lines, j.outside.npm.registry = phaseNPM, []string{line}, "https://127.0.0.1:1/"
		if e := j.explain(t.Context(), errors.New("npm failed")); e.Unreachable || !strings.Contains(e.Hint, "certificate") {
			t.Errorf("%s: %v, %q", line, e.Unreachable, e.Hint)
		}
	}
}

// That something has to be built is said only where a policy keeps it from being built.
func TestNoReleaseUnderAPolicy(t *testing.T) {
	for scripts, want := range map[bool]bool{true: true, false: false} {
		j := &job{Builder: New(Options{Scripts: configs.Scripts{Deny: scripts}}), phase: phasePip}
		j.lines = []string{"ERROR: No matching distribution found for x==9"}
		if got := strings.Contains(j.advice().text, "deps.scripts"); got != want {
			t.Errorf("denied %v: %q", scripts, j.advice().text)
		}
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

// An expression is compiled when a failure asks for it: a wrong one must not wait for that.
func TestHintsCompile(t *testing.T) {
	if a := adviceOn([]string{"nothing that any tool says"}); a.text != "" {
		t.Errorf("found %q in words of nobody", a.text)
	}
}
