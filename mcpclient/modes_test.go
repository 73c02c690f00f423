package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"majordomo/mcpclient/frame"
	"majordomo/mcpclient/mcptest"
	"majordomo/mcpclient/stderr"
)

// connector is a scripted connector with a Conn, as the supervisor wires them.
type connector struct {
	*mcptest.Process
	*Conn
	log *stderr.Log
}

func start(t *testing.T, r mcptest.Runtime, mode string, o Options) connector {
	t.Helper()
	return wire(t, mcptest.Start(t, r, mode), o)
}

func wire(t *testing.T, p *mcptest.Process, o Options) connector {
	t.Helper()
	log, err := stderr.New(stderr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	go log.Drain(p.Stderr)
	c := NewConn(p.Stdin, p.Stdout, o)
	go func() {
		select {
		case <-p.Exited():
			c.Exited(fmt.Errorf("the connector ended: %v", p.Cmd.ProcessState))
		case <-c.Done():
		}
	}()
	t.Cleanup(func() {
		c.Close()
		c.Wait()
	})
	return connector{Process: p, Conn: c, log: log}
}

// within is a context for what must not take long.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// both runs a test for the Python connector and its Node twin.
func both(t *testing.T, f func(t *testing.T, r mcptest.Runtime)) {
	for _, r := range []mcptest.Runtime{mcptest.Python, mcptest.Node} {
		t.Run(string(r), func(t *testing.T) { f(t, r) })
	}
}

const patience = 20 * time.Second

// A connector in these modes works like any other.
func TestModesThatWork(t *testing.T) {
	tests := map[string]struct {
		mode  string
		noise bool
	}{
		"plain":                      {mode: "good"},
		"banner":                     {mode: "banner", noise: true},
		"logs between":               {mode: "midlog", noise: true},
		"half frames":                {mode: "garbage-then-good", noise: true},
		"dumps":                      {mode: "dump", noise: true},
		"text before":                {mode: "prefix", noise: true},
		"CRLF":                       {mode: "crlf"},
		"byte order mark":            {mode: "bom"},
		"batches":                    {mode: "batch"},
		"ids as strings":             {mode: "string-ids"},
		"ids as floats":              {mode: "float-ids"},
		"every reply twice":          {mode: "duplicate"},
		"stderr before the start":    {mode: "stderr 262144"},
		"5 MiB of progress":          {mode: "progress"},
		"slow start":                 {mode: "slow-init 300"},
		"initialize must come first": {mode: "strict-first"},
		"version 2024-11-05":         {mode: "version 2024-11-05"},
		"version 2025-03-26":         {mode: "version 2025-03-26"},
		"version 2025-06-18":         {mode: "version 2025-06-18"},
		"version 2025-11-25":         {mode: "version 2025-11-25"},
		"version echoed":             {mode: "echo-version"},
		"demands 2024-11-05":         {mode: "demands 2024-11-05"},
		"demands 2025-03-26":         {mode: "demands 2025-03-26"},
		"a grandchild":               {mode: "fork"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both(t, func(t *testing.T, r mcptest.Runtime) {
				c := start(t, r, tt.mode, Options{})
				s, err := Open(within(t, patience), c.Conn, Info{Name: "test", Version: "1"})
				if err != nil {
					t.Fatal(err)
				}
				if tools := s.Tools(); len(tools) != 1 || tools[0].Name != "echo" {
					t.Errorf("tools %v", tools)
				}
				for range 20 {
					result, err := s.Call(within(t, patience), "echo", json.RawMessage(`{"a":1}`), nil)
					if err != nil || !sameText(result, `{"a":1}`) {
						t.Fatalf("result %s, error %v", result, err)
					}
				}
				if noise := s.Stats().Noise > 0; noise != tt.noise {
					t.Errorf("noise seen: %v, want %v; %v", noise, tt.noise, s.Stats().LastNoise)
				}
			})
		})
	}
}

// sameText reports whether a result is one block of this text.
func sameText(result json.RawMessage, want string) bool {
	var r struct{ Content []struct{ Text string } }
	return json.Unmarshal(result, &r) == nil && len(r.Content) == 1 && r.Content[0].Text == want
}

// In these modes the session cannot be opened, and the error says why.
func TestModesThatCannotOpen(t *testing.T) {
	tests := map[string]struct {
		mode, want string
	}{
		"unknown version":    {mode: "version 1999-01-01", want: `protocol version "1999-01-01"`},
		"no version":         {mode: "no-version", want: `protocol version ""`},
		"demands another":    {mode: "demands 1999-12-31", want: `"supported":["1999-01-01","1999-12-31"]`},
		"exits before":       {mode: "exit 3 start", want: "exit status 3"},
		"exits in between":   {mode: "exit 0 initialize", want: "exit status 0"},
		"exits at the list":  {mode: "exit 1 list", want: "exit status 1"},
		"killed by a signal": {mode: "signal 11 initialize", want: "segmentation fault"},
		"never answers":      {mode: "never-init", want: "no answer to initialize"},
		"LSP framing":        {mode: "lsp", want: "speaks LSP framing"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, r mcptest.Runtime) {
				limit := patience
				if tt.mode == "never-init" {
					limit = 500 * time.Millisecond
				}
				c := start(t, r, tt.mode, Options{})
				_, err := Open(within(t, limit), c.Conn, Info{Name: "test"})
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want one that says %q", err, tt.want)
				}
			})
		})
	}
}

// What a call gets, and that the next call on the same session is not harmed.
func TestCalls(t *testing.T) {
	tests := map[string]struct {
		mode   string
		o      Options
		result string // exact, when not empty
		err    string // part of it
		is     error
		over   bool // the session ends
	}{
		"bytes are untouched":  {mode: "odd-bytes", result: `{"n":9007199254740993, "f":1.50,"s":"\ud83d\ude00<&>","z":{"_meta":{}}}`},
		"error object":         {mode: "rpc-error", err: "error -32602: bad arguments"},
		"error string":         {mode: "bare-error", err: "it broke"},
		"error with null id":   {mode: "null-id-error", err: "error -32700: parse error"},
		"neither":              {mode: "neither", err: "neither a result nor an error"},
		"NaN":                  {mode: "nan", err: "not valid JSON", is: frame.ErrSyntax},
		"too deep":             {mode: "deep", err: "not valid JSON", is: frame.ErrSyntax},
		"too long":             {mode: "big 100000", o: Options{MaxFrame: 65536}, is: frame.ErrTooLong},
		"too long, id last":    {mode: "big-id-last 100000", o: Options{MaxFrame: 65536}, is: frame.ErrTooLong},
		"exit without newline": {mode: "no-newline-exit", result: `{"content":[{"type":"text","text":"bye"}]}`, over: true},
		"error without an id":  {mode: "no-id-error", err: "error -32700: parse error"},
		"too long, id nowhere": {mode: "big-no-id 100000", o: Options{MaxFrame: 65536}, is: frame.ErrTooLong},
		"exit in a reply":      {mode: "half-exit", err: "exit status 5", over: true},
		"crash":                {mode: "exit 7 call", err: "exit status 7", over: true},
		"segfault":             {mode: "signal 11 call", err: "segmentation fault", over: true},
		"closes its output":    {mode: "close-stdout", is: ErrOutputClosed, over: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, r mcptest.Runtime) {
				c := start(t, r, tt.mode, tt.o)
				s, err := Open(within(t, patience), c.Conn, Info{Name: "test"})
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					result, err := s.Call(within(t, patience), "echo", nil, nil)
					checkCall(t, result, err, tt.result, tt.err, tt.is)
					if tt.over {
						<-s.Done()
						return
					}
				}
			})
		})
	}
}

func checkCall(t *testing.T, result json.RawMessage, err error, want, wantErr string, is error) {
	t.Helper()
	if want != "" && string(result) != want {
		t.Errorf("result %s, want %s; error %v", result, want, err)
	}
	if wantErr != "" && (err == nil || !strings.Contains(err.Error(), wantErr)) {
		t.Errorf("error %v, want one that says %q", err, wantErr)
	}
	if is != nil && !errors.Is(err, is) {
		t.Errorf("error %v, want %v", err, is)
	}
}
