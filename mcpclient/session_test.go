package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"majordomo/mcpclient/frame"
	"majordomo/mcpclient/mcptest"
)

func open(t *testing.T, r mcptest.Runtime, mode string, o Options, info Info) (connector, *Session) {
	t.Helper()
	c := start(t, r, mode, o)
	info.Name = "test"
	s, err := Open(within(t, patience), c.Conn, info)
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

func names(tools []Tool) string {
	var all []string
	for _, tool := range tools {
		all = append(all, tool.Name)
	}
	return strings.Join(all, " ")
}

func TestToolList(t *testing.T) {
	tests := map[string]struct {
		mode     string
		count    int
		problems []string // parts of them, in order
	}{
		"pages":                     {mode: "paged 14 8", count: 14},
		"no such method":            {mode: "no-list", count: 0},
		"null instead of a list":    {mode: "null-lists", count: 0},
		"a cursor that stays":       {mode: "paged-stuck", count: 0, problems: []string{"go in a circle"}},
		"pages without end":         {mode: "paged-forever", count: maxPages, problems: []string{"more than 100 pages"}},
		"more tools than are taken": {mode: "paged 5000 500", count: maxTools, problems: []string{"longer than 2000 tools"}},
		"odd schemas": {mode: "schemas", count: 4, problems: []string{
			"odd0: its input schema is not a JSON object", "odd1: its input schema is not", "odd2: its input schema is not",
			`odd3: its input schema refers to "file:///etc/passwd"`, "odd5: its input schema has 700",
			"has no name", "not a tool: 7", "echo: another tool has the same name",
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, r mcptest.Runtime) {
				_, s := open(t, r, tt.mode, Options{}, Info{})
				if got := len(s.Tools()); got != tt.count {
					t.Errorf("%d tools, want %d: %s", got, tt.count, names(s.Tools()))
				}
				problems := s.Problems()
				if len(problems) != len(tt.problems) {
					t.Fatalf("problems %v, want %d", problems, len(tt.problems))
				}
				for i, p := range problems {
					if text := p.Tool + ": " + p.What; !strings.Contains(text, tt.problems[i]) {
						t.Errorf("problem %q, want %q", text, tt.problems[i])
					}
				}
			})
		})
	}
}

// A storm of list_changed is few refreshes, and the last change is seen.
func TestListChanged(t *testing.T) {
	tests := map[string]struct{ mode, last string }{
		"one change":                        {mode: "grow", last: "grown1"},
		"a storm with a change in its last": {mode: "storm 200", last: "last"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, r mcptest.Runtime) {
				seen := make(chan []Tool, 300)
				c, s := open(t, r, tt.mode, Options{}, Info{OnTools: func(tools []Tool) { seen <- tools }})
				if _, err := s.Call(within(t, patience), "echo", nil, nil); err != nil {
					t.Fatal(err)
				}
				for tools := range seen {
					if strings.HasSuffix(names(tools), tt.last) {
						break
					}
				}
				lists := 0
				for _, line := range c.Trace() {
					if strings.Contains(line, "tools/list") {
						lists++
					}
				}
				if lists > 10 {
					t.Errorf("%d listings", lists)
				}
			})
		})
	}
}

// A call that is never answered, or late, fails alone, and the connector is told.
func TestDeadlines(t *testing.T) {
	for _, mode := range []string{"swallow", "late 700"} {
		t.Run(mode, func(t *testing.T) {
			both(t, func(t *testing.T, r mcptest.Runtime) {
				c, s := open(t, r, mode, Options{}, Info{})
				_, err := s.Call(within(t, 100*time.Millisecond), "swallow", nil, nil)
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("error %v", err)
				}
				for i := range 10 {
					args := fmt.Sprintf(`{"a":%d}`, i)
					result, err := s.Call(within(t, patience), "echo", json.RawMessage(args), nil)
					if err != nil || !sameText(result, args) {
						t.Fatalf("call %d: %s, %v", i, result, err)
					}
				}
				if mode == "late 700" && s.Stats().Orphans != 1 {
					t.Errorf("%d orphans, want the late reply", s.Stats().Orphans)
				}
				if !slices.ContainsFunc(c.Trace(), func(line string) bool {
					return strings.Contains(line, "notifications/cancelled") && strings.Contains(line, `"requestId":1002`)
				}) {
					t.Errorf("the connector was not told: %v", c.Trace())
				}
			})
		})
	}
}

// A connector that stops reading fails each call at its own deadline, and the
// connection after a while.
func TestDeafConnector(t *testing.T) {
	both(t, func(t *testing.T, r mcptest.Runtime) {
		c := start(t, r, "deaf", Options{WriteTimeout: time.Second})
		if _, err := c.request(within(t, patience), "initialize", []byte("{}")); err != nil {
			t.Fatal(err)
		}
		big, _ := json.Marshal(map[string]string{"x": strings.Repeat("x", 1<<20)})
		var calls sync.WaitGroup
		for _, args := range []string{string(big), "{}", "{}"} {
			calls.Go(func() {
				params, _ := callParams("echo", json.RawMessage(args))
				if _, err := c.request(within(t, 300*time.Millisecond), "tools/call", params); err == nil {
					t.Error("it was answered")
				}
			})
		}
		calls.Wait()
		<-c.Done()
		if !errors.Is(c.Cause(), ErrDeaf) {
			t.Errorf("cause %v", c.Cause())
		}
	})
}

// Requests of the connector inside a call are answered at once.
func TestServerRequests(t *testing.T) {
	for mode, want := range map[string]string{
		"ask-ping": `"result":{}`, "ask-roots": "-32601", "ask-sampling": "-32601", "ask-elicit": "-32601", "ask-unknown": "-32601",
	} {
		t.Run(mode, func(t *testing.T) {
			both(t, func(t *testing.T, r mcptest.Runtime) {
				_, s := open(t, r, mode, Options{}, Info{})
				result, err := s.Call(within(t, patience), "echo", nil, nil)
				var got struct{ Content []struct{ Text string } }
				if json.Unmarshal(result, &got) != nil || !strings.Contains(strings.ReplaceAll(got.Content[0].Text, " ", ""), want) {
					t.Errorf("the connector was answered %s, %v", result, err)
				}
			})
		})
	}
}

// A call hears of its own progress, and of no other's.
func TestProgress(t *testing.T) {
	both(t, func(t *testing.T, r mcptest.Runtime) {
		_, s := open(t, r, "steps 3 1", Options{}, Info{})
		heard := make(chan string, 10)
		for range 2 {
			_, err := s.Call(within(t, patience), "echo", nil, func(params json.RawMessage) { heard <- string(params) })
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				if got := strings.ReplaceAll(<-heard, " ", ""); !strings.HasSuffix(got, fmt.Sprintf(`"progress":%d,"message":"step"}`, i)) {
					t.Errorf("step %d: %s", i, got)
				}
			}
		}
		if len(heard) != 0 {
			t.Errorf("also heard %s", <-heard)
		}
	})
}

// What a connector answers to a cancellation, whatever it is, reaches nobody.
func TestAnswerToCancellation(t *testing.T) {
	both(t, func(t *testing.T, r mcptest.Runtime) {
		c, s := open(t, r, "answer-cancel", Options{}, Info{})
		if _, err := s.Call(within(t, 100*time.Millisecond), "echo", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v", err)
		}
		// Answered after the cancellation, for the connector reads in order.
		if _, err := c.request(within(t, patience), "ping", nil); err != nil {
			t.Fatal(err)
		}
		if got := s.Stats().Orphans; got != 2 {
			t.Errorf("%d orphans", got)
		}
	})
}

// The size ladder that readers with a limit of their own have fallen from.
func TestSizes(t *testing.T) {
	for _, n := range []int{1 << 10, 65_535, 65_536, 1 << 20, 20 << 20} {
		both(t, func(t *testing.T, r mcptest.Runtime) {
			_, s := open(t, r, fmt.Sprintf("big %d", n), Options{}, Info{})
			result, err := s.Call(within(t, patience), "echo", nil, nil)
			if err != nil || len(result) < n {
				t.Errorf("%d bytes: %d, %v", n, len(result), err)
			}
		})
	}
}

// Connectors that share a budget smaller than what they say at once take turns.
func TestSharedBudget(t *testing.T) {
	budget := frame.NewBudget(2 << 20)
	var all sync.WaitGroup
	for range 4 {
		_, s := open(t, mcptest.Python, fmt.Sprintf("big %d", 5<<20), Options{Budget: budget}, Info{})
		all.Go(func() {
			result, err := s.Call(within(t, time.Minute), "echo", json.RawMessage(`{"x":"`+strings.Repeat("x", 1<<20)+`"}`), nil)
			if err != nil || len(result) < 5<<20 {
				t.Errorf("%d bytes, %v", len(result), err)
			}
		})
	}
	all.Wait()
}

// A flood without a newline is one line of noise, and the call still ends when
// its context does; stopping the process is the supervisor's.
func TestEndlessOutput(t *testing.T) {
	both(t, func(t *testing.T, r mcptest.Runtime) {
		ctx, cancel := context.WithCancel(within(t, patience))
		_, s := open(t, r, "endless", Options{MaxFrame: 1 << 20, Log: onNoise(cancel)}, Info{})
		if _, err := s.Call(ctx, "echo", nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if n := s.Stats(); n.Noise != 1 {
			t.Errorf("noise %d, want the one line", n.Noise)
		}
	})
}

// onNoise is an Options.Log that tells when noise was seen and counted.
func onNoise(tell func()) *zap.Logger {
	core, _ := observer.New(zap.WarnLevel)
	return zap.New(core, zap.Hooks(func(zapcore.Entry) error {
		tell()
		return nil
	}))
}

// What goes out is one compact line for each message, whatever came in.
func TestOneLineEach(t *testing.T) {
	both(t, func(t *testing.T, r mcptest.Runtime) {
		c, s := open(t, r, "good", Options{}, Info{})
		args := map[string]string{
			"{\n  \"a\" : 9007199254740993,\r\n \"b\": \"<&\\u00e9\u2028\" }\n": "{\"a\":9007199254740993,\"b\":\"<&\\u00e9\u2028\"}",
			"null": "{}", "": "{}", " \n": "{}",
		}
		for in, want := range args {
			if _, err := s.Call(within(t, patience), "echo", json.RawMessage(in), nil); err != nil {
				t.Fatal(err)
			}
			lines := c.Trace()
			if last := lines[len(lines)-1]; !strings.HasSuffix(last, `"params":{"name":"echo","arguments":`+want+`,"_meta":{"progressToken":`+fmt.Sprint(c.lastID)+`}}}`) {
				t.Errorf("the connector saw %s, want the arguments %s", last, want)
			}
		}
		for _, bad := range []string{"[]", "7", `"x"`, "{", "{},", `{},"name":"other"`, "{\"a\":\"\xff\"}", "nul"} {
			if _, err := s.Call(within(t, patience), "echo", json.RawMessage(bad), nil); err == nil || !strings.Contains(err.Error(), "not a JSON object") {
				t.Errorf("%s: error %v", bad, err)
			}
		}
	})
}

// To one that lives on without its input nobody can talk any more.
func TestClosedInput(t *testing.T) {
	_, s := open(t, mcptest.Python, "close-stdin", Options{}, Info{})
	_, err := s.Call(within(t, patience), "echo", nil, nil)
	if <-s.Done(); !errors.Is(err, syscall.EPIPE) || !errors.Is(s.Cause(), syscall.EPIPE) {
		t.Errorf("call: %v; cause: %v", err, s.Cause())
	}
}

// What the handshake promised is what is served: nothing.
func TestHandshake(t *testing.T) {
	c, _ := open(t, mcptest.Python, "good", Options{}, Info{Version: "7"})
	lines := c.Trace()
	want := `{"jsonrpc":"2.0","id":1000,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"test","version":"7"},"capabilities":{}}}`
	if len(lines) != 3 || lines[0] != want || lines[1] != `{"jsonrpc":"2.0","method":"notifications/initialized"}` {
		t.Errorf("the connector saw\n%s", strings.Join(lines, "\n"))
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	_, s := open(t, mcptest.Node, "good", Options{}, Info{})
	var calls sync.WaitGroup
	for i := range 1000 {
		calls.Go(func() {
			args := fmt.Sprintf(`{"i":%d}`, i)
			if result, err := s.Call(within(t, patience), "echo", json.RawMessage(args), nil); err != nil || !sameText(result, args) {
				t.Errorf("%s: %s, %v", args, result, err)
			}
		})
	}
	calls.Wait()
}
