package conformance_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"majordomo/configs"
	"majordomo/install/author/conformance"
	"majordomo/mcpclient/mcptest"
	"majordomo/sandbox/runtimes"
	"majordomo/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

var found runtimes.Finder

const patience = 10 * time.Second

func run(t *testing.T, dir string, patience time.Duration) conformance.Report {
	t.Helper()
	report, err := conformance.Run(t.Context(), dir, conformance.Options{Runtimes: &found, Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// bad are the names of the checks that failed, warnings in brackets.
func bad(report conformance.Report) []string {
	var names []string
	for _, c := range report.Checks {
		switch {
		case c.OK:
		case c.Severity == "warning":
			names = append(names, "("+c.Name+")")
		default:
			names = append(names, c.Name)
		}
	}
	return names
}

// The connectors to start from keep the contract.
func TestExamples(t *testing.T) {
	feed := filepath.Join(t.TempDir(), "feed")
	if err := os.CopyFS(feed, configs.ExampleFeed()); err != nil {
		t.Fatal(err)
	}
	for id, checks := range map[string][]string{
		"notes": {
			"installable", "initialize", "notifications", "ping", "tools-list", "tool-titles", "id-types", "unknown-method",
			"unknown-tool", "tool-errors", "malformed-line", "long-line", "exit-on-eof", "stdout",
		},
		"pairing": {
			"installable", "initialize", "notifications", "ping", "tools-list", "tool-titles", "id-types", "unknown-method",
			"unknown-tool", "tool-errors", "login", "malformed-line", "long-line", "exit-on-eof", "stdout",
		},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			report := run(t, filepath.Join(feed, id), patience)
			var names []string
			for _, c := range report.Checks {
				names = append(names, c.Name)
				if !c.OK {
					t.Errorf("%+v", c)
				}
			}
			if !report.OK || !slices.Equal(names, checks) {
				t.Errorf("ok %v, %v", report.OK, names)
			}
		})
	}
}

// Each fault is found under its name. The scripted connector has no titles, and answers to any tool.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		mode string
		bad  []string // beside (tool-titles) and unknown-tool
		says string   // in one of the messages
	}{
		{"good", nil, "no title: echo"},
		{"never-init", []string{"initialize"}, "no answer to initialize"},
		{"no-version", []string{"initialize"}, "protocolVersion"},
		{"version 1999-01-01", []string{"initialize"}, "1999-01-01"},
		{"exit 3", []string{"initialize"}, "exited with code 3; its last words: last words: exit 3 at start"},
		{"exit 3 list", []string{"tools-list"}, "exited with code 3"},
		{"lsp", []string{"initialize", "stdout"}, "Content-Length"},
		{"answers-notifications", []string{"notifications"}, "answered"},
		{"ping-32601", []string{"ping"}, "-32601"},
		{"bare-list", []string{"tools-list"}, "a list, want an object"},
		{"null-lists", []string{"tools-list"}, "tools"},
		{"no-list", []string{"tools-list"}, "-32601"},
		{"paged 14 8", nil, ""},
		{"paged-stuck", []string{"tools-list"}, "the same cursor"},
		{"schemas", []string{"tools-list"}, "odd0"},
		{"string-ids", []string{"id-types"}, `the id 7 came back as "7"`},
		{"float-ids", []string{"id-types"}, "7.0"},
		{"dies-on-garbage", []string{"malformed-line"}, "exited with code 1"},
		{"banner", []string{"stdout"}, "Fake server 1.0"},
		{"bom", []string{"stdout"}, "byte order mark"},
		{"batch", []string{"stdout"}, "["},
		{"prefix", []string{"stdout"}, "INFO sending"},
		{"midlog", []string{"stdout"}, "handshake done"},
		{"garbage-then-good", []string{"stdout"}, `{\"jsonrpc\":`},
		{"duplicate", []string{"stdout"}, "nothing that was asked"},
		{"ignore-term", []string{"exit-on-eof"}, "still ran 3s after"},
		{"bare-error", []string{"(unknown-tool)"}, "it broke"},
		{"qr", nil, ""},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "fake")
			if err := mcptest.WriteConnector(dir, "fake", mcptest.Python, tt.mode, nil); err != nil {
				t.Fatal(err)
			}
			limit := patience
			if slices.Contains(tt.bad, "initialize") {
				limit = time.Second // three of them for the first answer, which some of these never give
			}
			report := run(t, dir, limit)
			names := slices.DeleteFunc(bad(report), func(name string) bool { return name == "(tool-titles)" || name == "unknown-tool" })
			if !slices.Equal(names, tt.bad) && len(names)+len(tt.bad) > 0 {
				t.Errorf("found %q, want %q", names, tt.bad)
			}
			var all strings.Builder
			for _, c := range report.Checks {
				all.WriteString(c.Name + ": " + c.Message + "\n")
			}
			if !strings.Contains(all.String(), tt.says) {
				t.Errorf("nothing says %q:\n%s", tt.says, all.String())
			}
		})
	}
}

// A qr connector without its two tools, and a folder that nobody could install.
func TestBeforeItRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fake")
	err := mcptest.WriteConnector(dir, "fake", mcptest.Python, "good", func(m map[string]any) { m["auth"] = map[string]any{"type": "qr"} })
	if err != nil {
		t.Fatal(err)
	}
	if names := bad(run(t, dir, patience)); !slices.Contains(names, "login") {
		t.Errorf("found %q", names)
	}
	err = mcptest.WriteConnector(dir, "fake", mcptest.Python, "good", func(m map[string]any) {
		m["mcp_config"] = map[string]any{"command": "npx", "args": []string{"x"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	if report := run(t, dir, patience); report.OK || !slices.Equal(bad(report), []string{"installable"}) {
		t.Errorf("%+v", report)
	}
}

// Whoever is tired of waiting gets out, and nothing is left.
func TestInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fake")
	if err := mcptest.WriteConnector(dir, "fake", mcptest.Python, "never-init", nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := conformance.Run(ctx, dir, conformance.Options{Runtimes: &found, Patience: time.Hour})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
