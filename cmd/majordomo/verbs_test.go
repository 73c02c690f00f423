package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"majordomo/configs/manifest"
	"majordomo/supervisor/api"
)

// The help is the manual: every verb says what it does, shows an example, and says what its JSON looks like.
func TestHelpIsAManual(t *testing.T) {
	a := &app{getenv: os.Getenv}
	var walk func(*cobra.Command)
	walk = func(verb *cobra.Command) {
		for _, sub := range verb.Commands() {
			walk(sub)
		}
		if verb.HasSubCommands() {
			return
		}
		if verb.Example == "" || len(verb.Long) <= len(verb.Short) {
			t.Errorf("%s: no manual", verb.CommandPath())
		}
		if !strings.Contains(verb.Long, "--json: ") && verb.Name() != "mcp" && verb.Name() != "completion" {
			t.Errorf("%s: does not say what --json prints", verb.CommandPath())
		}
	}
	walk(a.tree())
}

// Who looks for a verb finds the file of its name; one of several words may be in the file of the first.
func TestOneFilePerVerb(t *testing.T) {
	var walk func(verb *cobra.Command, files ...string)
	walk = func(verb *cobra.Command, files ...string) {
		for _, sub := range verb.Commands() {
			walk(sub, append(slices.Clone(files), strings.Join(append(words(verb), sub.Name()), "_"))...)
		}
		if len(files) > 0 && !slices.ContainsFunc(files, func(file string) bool { return declaresVerb(file, verb.Name()) }) {
			t.Errorf("%s: none of the files %v declares it", verb.CommandPath(), files)
		}
	}
	walk((&app{getenv: os.Getenv}).tree())
}

// words are a verb's own, without the program's name.
func words(verb *cobra.Command) []string { return strings.Fields(verb.CommandPath())[1:] }

// declaresVerb also knows a name that is no test of Go's: author_test.go would be one.
func declaresVerb(file, name string) bool {
	for _, candidate := range []string{file + ".go", file + "_verb.go"} {
		text, err := os.ReadFile(candidate)
		if err == nil && regexp.MustCompile(`(Use:\s+"|Verb\(")`+name+`\b`).Match(text) {
			return true
		}
	}
	return false
}

func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		err  error
		code int
		text string
	}{
		{nil, 0, ""},
		{errSaid, 1, ""},
		{errors.New("cannot x: y"), 1, "majordomo: cannot x: y\n"},
		{errors.New("cannot x: y; it said:\n  \x1b[31mred"), 1, "majordomo: cannot x: y; it said:\nmajordomo:   [31mred\n"},
		{api.Errorf(api.Failed, "cannot x"), 1, "majordomo: cannot x\n"},
		{api.Errorf(api.NotFound, "cannot find x"), 1, "majordomo: cannot find x\n"},
		{api.Errorf(api.Usage, "cannot x"), 2, "majordomo: cannot x\n"},
		{usage("cannot x: %w", io.EOF), 2, "majordomo: cannot x: EOF\n"},
		{fmt.Errorf("later: %w", &api.NotRunning{Socket: "/s"}), 3, "start it with: majordomo serve\n"},
		{api.Errorf(api.Refused, "cannot x"), 4, "majordomo: cannot x\n"},
		{fmt.Errorf("later: %w", &manifest.Refusal{What: "x", Why: "y"}), 4, "majordomo: later: cannot x: y\n"},
	} {
		var out bytes.Buffer
		a := &app{err: &out}
		if code := a.report(tt.err); code != tt.code || !strings.HasSuffix(out.String(), tt.text) {
			t.Errorf("%v: exit code %d, want %d; said %q, want %q", tt.err, code, tt.code, out.String(), tt.text)
		}
	}
}

func TestSecrets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	for _, tt := range []struct {
		name, content, want string
	}{
		{"as editors and echo write it", "hunter2\n", "hunter2"},
		{"as Windows writes it", "hunter2\r\n", "hunter2"},
		{"without a line end", "hunter2", "hunter2"},
		{"spaces belong to it", " hunter 2 \n", " hunter 2 "},
		{"a key in several lines keeps them all", "BEGIN\nabc\nEND\n", "BEGIN\nabc\nEND\n"},
		{"empty", "", ""},
	} {
		if err := os.WriteFile(file, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		a := &app{in: strings.NewReader(tt.content)}
		got, err := a.secrets(t.Context(), []string{"A=@" + file, "B=-"})
		if err != nil || got["A"] != tt.want || got["B"] != tt.want {
			t.Errorf("%s: got %q (%v), want %q", tt.name, got, err, tt.want)
		}
	}
}

// Arguments that are too large are refused, not cut: what is left of them might still be JSON.
func TestArgumentsAreNotCut(t *testing.T) {
	a := &app{in: strings.NewReader("{}" + strings.Repeat(" ", maxArguments))}
	if _, err := a.arguments([]string{"-"}); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v", err)
	}
}

// docs/operations.md names every verb and every key of the configuration.
func TestOperationsManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	defaults, err := os.ReadFile("../../configs/default.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^(\w+) = `).FindAllStringSubmatch(string(defaults), -1)
	if len(want) < 10 {
		t.Fatalf("default.toml has only %d keys", len(want))
	}
	var verbs []string
	for _, verb := range (&app{getenv: os.Getenv}).tree().Commands() {
		verbs = append(verbs, verb.Name())
	}
	for _, name := range verbs {
		if !strings.Contains(string(manual), "`"+name) {
			t.Errorf("docs/operations.md does not name the verb %s", name)
		}
	}
	for _, key := range want {
		if !regexp.MustCompile("`(\\w+\\.)?" + key[1] + "`").Match(manual) {
			t.Errorf("docs/operations.md does not name the key %s", key[1])
		}
	}
}
