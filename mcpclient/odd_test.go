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
)

// plain is a connector in Python of which a test changes what it says next.
const plain = `
import json, os, sys, time
def out(s): os.write(1, s.encode() if isinstance(s, str) else s)
def send(m): out(json.dumps(m) + "\n")
def text(s): return {"content": [{"type": "text", "text": s}]}
HELLO = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "odd", "version": "1"}}
ECHO = {"name": "echo", "inputSchema": {"type": "object"}}
def hello(m): return HELLO
def tools(m): return {"tools": [ECHO]}
def call(m): return text(json.dumps(m["params"]["arguments"], separators=(",", ":")))
def answer(m):
    f = {"initialize": hello, "tools/list": tools, "tools/call": call}.get(m["method"])
    return {"result": f(m)} if f else {"error": {"code": -32601, "message": "method not found"}}
def serve(m): send({"jsonrpc": "2.0", "id": m["id"], **answer(m)})
def heard(m): pass
def begin(): pass
%s
begin()
for line in sys.stdin:
    m = json.loads(line)
    if "id" in m and "method" in m: serve(m)
    else: heard(m)
`

// modern is a connector that knows nothing before 2026-07-28: each request says
// what a handshake used to.
const modern = `
def discover(m): return {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}
def answer(m):
    meta = m.get("params", {}).get("_meta", {})
    if m["method"] in ("initialize", "ping"):
        return {"error": {"code": MODERN, "message": "cannot serve this", "data": {"supported": ["2026-07-28"]}}}
    if meta.get("io.modelcontextprotocol/protocolVersion") != "2026-07-28" or meta.get("io.modelcontextprotocol/clientCapabilities") != {} or meta["io.modelcontextprotocol/clientInfo"]["name"] != "test":
        return {"error": {"code": -32602, "message": "no _meta", "data": {"supported": ["2026-07-28"]}}}
    f = {"server/discover": discover, "tools/list": tools, "tools/call": call}[m["method"]]
    return {"result": f(m)}
def heard(m): sys.exit("it got " + m["method"])
`

// odd starts a connector whose oddity is a piece of Python.
func odd(t *testing.T, python string, o Options) connector {
	t.Helper()
	return wire(t, mcptest.StartProgram(t, mcptest.Python, fmt.Sprintf(plain, python)), o)
}

// What other programs do in their own ways, and work with.
func TestOddConnectorsThatWork(t *testing.T) {
	for name, python := range map[string]string{
		"prints its JSON for people to read": `def send(m): out(json.dumps(m, indent=2) + "\n")`,
		"the same with tabs and CRLF":        `def send(m): out(json.dumps(m, indent="\t").replace("\n", "\r\n") + "\r\n")`,
		"byte by byte": `
def send(m):
    for b in json.dumps(m).encode() + b"\n": out(bytes([b]))`,
		"marks of byte order everywhere":  `def send(m): out("\ufeff" + json.dumps(m) + "\n\ufeff\n")`,
		"lone CRs":                        `def send(m): out("\r\r" + json.dumps(m) + "\r\r\n\r")`,
		"a progress bar before the JSON":  `def send(m): out("\x1b[2K\r 50% |###   |\r100% |######|\r" + json.dumps(m) + "\n")`,
		"colours":                         `def send(m): out("\x1b[1;32m" + json.dumps(m) + "\x1b[0m\n")`,
		"NULs around":                     `def send(m): out("\0\0" + json.dumps(m) + "\0\n\0\n")`,
		"two on a line":                   `def send(m): out(json.dumps({"jsonrpc": "2.0", "method": "notifications/x"}) + json.dumps(m) + "\n")`,
		"a broken one before, on a line":  `def send(m): out('{"jsonrpc":"2.0","id":5,"result":NaN}' + json.dumps(m) + "\n")`,
		"repeats the method":              `def serve(m): send({"jsonrpc": "2.0", "id": m["id"], "method": m["method"], **answer(m)})`,
		"repeats the request":             `def serve(m): send({**m, **answer(m)})`,
		"ids like 1.0e+03":                `def serve(m): out('{"jsonrpc":"2.0","id":%e,%s\n' % (m["id"], json.dumps(answer(m))[1:]))`,
		"names twice":                     `def serve(m): out('{"jsonrpc":"1.0","jsonrpc":"2.0","id":0,"id":%d,"result":0,%s\n' % (m["id"], json.dumps(answer(m))[1:]))`,
		"result and an empty error":       `def serve(m): send({"jsonrpc": "2.0", "id": m["id"], "error": {}, **answer(m)})`,
		"answers what nobody asked":       `def begin(): [send({"jsonrpc": "2.0", "id": i, "result": HELLO}) for i in [0, -1, 1, 1.5, "1", "x", 2**63, 10**400, None, [], {}, True]]`,
		"answers everything three times":  `def serve(m): [send({"jsonrpc": "2.0", "id": m["id"], **answer(m)}) for _ in range(3)]`,
		"100,000 brackets in between":     `def serve(m): out("[" * 100000 + "\n" + "{" * 100000 + "\n" + '{"a":' * 100000 + "\n"); send({"jsonrpc": "2.0", "id": m["id"], **answer(m)})`,
		"npm and a traceback":             `def begin(): out("added 3 packages in 2s\n\n1 package is looking for funding\n  run ` + "`npm fund`" + ` for details\nTraceback (most recent call last):\n  File \"x\", line 1\nValueError: {}\n")`,
		"lists where objects belong, PHP": `HELLO.update(capabilities=[], serverInfo=[])`,
		"capabilities that are true":      `HELLO.update(capabilities={"tools": True, "logging": [], "prompts": {"listChanged": "yes"}, "experimental": []}, instructions=None)`,
		"says next to nothing of itself":  `HELLO = {"protocolVersion": "2025-06-18", "serverInfo": "odd 1.0", "instructions": 7, "_meta": []}`,
		"refuses the version in words": `
def answer(m, usual=answer):
    if m["method"] == "initialize" and m["params"]["protocolVersion"] != "2025-03-26":
        return {"error": {"code": -32602, "message": "Unsupported protocol version: 2025-11-25 (supported: 2025-03-26)"}}
    return usual(m)`,
		"refuses the version with a bare list": `
def answer(m, usual=answer):
    if m["method"] == "initialize" and m["params"]["protocolVersion"] != "2025-06-18":
        return {"error": {"code": -32000, "message": "no", "data": ["1.0", "2025-06-18"]}}
    return usual(m)`,
		"knows the guide's version only, and does not say": `
def answer(m, usual=answer):
    if m["method"] == "initialize" and m["params"]["protocolVersion"] != "2024-11-05":
        return {"error": {"code": -32602, "message": "bad protocolVersion"}}
    return usual(m)`,
		"only 2026-07-28, without the method": "MODERN = -32601" + modern,
		"only 2026-07-28, by its own error":   "MODERN = -32022" + modern,
		"only 2026-07-28, by a bad request":   "MODERN = -32602" + modern,
		"answers initialize in 2026-07-28": "MODERN = 0" + modern + `
def hello(m): return {"resultType": "complete", "protocolVersion": "2026-07-28", "capabilities": {"tools": {}}}
def answer(m, strict=answer): return {"result": hello(m)} if m["method"] == "initialize" else strict(m)
def heard(m): pass`,
		"wants initialized first": `
ready = False
def heard(m):
    global ready
    ready = ready or m["method"] == "notifications/initialized"
def tools(m): return {"tools": [ECHO] if ready else []}`,
		"a storm and questions before it answers": `
def hello(m):
    for i in range(300): send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    for i, method in enumerate(["ping", "roots/list", "sampling/createMessage", "elicitation/create"]):
        send({"jsonrpc": "2.0", "id": i, "method": method, "params": None})
        while json.loads(sys.stdin.readline()).get("id") != i: pass
    return HELLO`,
		"progress of all kinds": `
def call(m, usual=call):
    token = m["params"]["_meta"]["progressToken"]
    for t in [token, str(token), "x", None, {}, -1]:
        for p in [5, 3, -1, "x", None, [], 1e300]:
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": t, "progress": p}})
    out('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":NaN}}\n' % token)
    out('{"jsonrpc":"2.0","method":"notifications/progress","params":[]}\n{"jsonrpc":"2.0","method":"notifications/progress"}\n')
    return usual(m)`,
		"floods of log messages and pings": `
def call(m, usual=call):
    for i in range(3000):
        send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "debug", "data": "x" * 100}})
        send({"jsonrpc": "2.0", "id": i, "method": "ping"})
    return usual(m)`,
		"stderr that is no text": `def begin(): os.write(2, os.urandom(300000) + b"\x1b]" + b"\0" * 300000)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(within(t, patience), odd(t, python, Options{}).Conn, Info{Name: "test", Version: "1"})
			if err != nil {
				t.Fatal(err)
			}
			if tools := names(s.Tools()); tools != "echo" {
				t.Errorf("tools %q, %v", tools, s.Problems())
			}
			for i := range 3 {
				args := fmt.Sprintf(`{"a":%d}`, i)
				if result, err := s.Call(within(t, patience), "echo", json.RawMessage(args), nil); err != nil || !sameText(result, args) {
					t.Errorf("result %s, error %v", result, err)
				}
			}
		})
	}
}

// What can never work is known at once, and said in words.
func TestHopelessConnectors(t *testing.T) {
	for name, tt := range map[string]struct {
		python string
		is     error
		says   []string
	}{
		"LSP framing": {
			python: `def send(m): out("Content-Length: %d\r\n\r\n%s" % (len(json.dumps(m)), json.dumps(m)))`,
			is:     ErrFraming, says: []string{"LSP", "one JSON message a line"},
		},
		"LSP framing behind a banner": {
			python: `
def begin(): out("server 1.0 ready\n")
def send(m): out("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s" % (len(json.dumps(m)), json.dumps(m)))`,
			is: ErrFraming,
		},
		"UTF-16": {
			python: `def send(m): out((json.dumps(m) + "\n").encode("utf-16"))`,
			is:     ErrFraming, says: []string{"UTF-16", "UTF-8"},
		},
		"no version of JSON-RPC": {
			python: `def serve(m): send({"id": m["id"], **answer(m)})`,
			is:     frame.ErrVersion, says: []string{`does not say "jsonrpc": "2.0"`},
		},
		"another version of JSON-RPC": {python: `def serve(m): send({"jsonrpc": 2.0, "id": m["id"], **answer(m)})`, is: frame.ErrVersion},
		"an unknown version of MCP":   {python: `HELLO.update(protocolVersion="1999-01-01")`, says: []string{`"1999-01-01"`, "2024-11-05"}},
		"no version of MCP":           {python: `HELLO.pop("protocolVersion")`, says: []string{`version ""`}},
		"a version that is a number":  {python: `HELLO.update(protocolVersion=1.0)`, says: []string{"version"}},
		"neither of the eras": {python: `
def answer(m): return {"error": {"code": -32601, "message": "no such method"}}`, says: []string{"no such method", "initialize"}},
		"refuses all versions": {
			python: `
def answer(m): return {"error": {"code": -32602, "message": "no version is good", "data": {"supported": ["1.0"]}}}`,
			says: []string{"no version is good", `"1.0"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Open(within(t, patience), odd(t, tt.python, Options{}).Conn, Info{Name: "test"})
			if err == nil || errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("error %v", err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v, want %v", err, tt.is)
			}
			for _, says := range tt.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("error %v does not say %s", err, says)
				}
			}
		})
	}
}

// Where nothing but time tells, the error says what was seen meanwhile.
func TestSilenceIsExplained(t *testing.T) {
	for name, tt := range map[string]struct{ python, says string }{
		"ids of its own": {`def serve(m): send({"jsonrpc": "2.0", "id": 1, **answer(m)})`, "an id that is not the request's"},
		"the id is null": {`def serve(m): send({"jsonrpc": "2.0", "id": None, **answer(m)})`, "an id that is not the request's"},
		"no line end":    {`def send(m): out(json.dumps(m))`, "not ended by a newline"},
		"a question":     {`def begin(): out("Password: "); sys.stdin.readline()`, "not ended by a newline"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := odd(t, tt.python, Options{})
			ctx, cancel := context.WithCancel(within(t, patience))
			go func() { // as soon as there is something to say
				for range time.Tick(5 * time.Millisecond) {
					if c.unended.Load() || c.Stats().Orphans > 0 || ctx.Err() != nil {
						cancel()
						return
					}
				}
			}()
			if _, err := Open(ctx, c.Conn, Info{Name: "test"}); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one that says %q", err, tt.says)
			}
		})
	}
}

// Lists of tools in all forms: what is offered of them, and what is said of the rest.
func TestOddLists(t *testing.T) {
	for name, tt := range map[string]struct {
		python   string
		tools    int
		problems []string
	}{
		"ten thousand on one page": {
			python: `def tools(m): return {"tools": [dict(ECHO, name="t%d" % i) for i in range(10000)]}`,
			tools:  maxTools, problems: []string{"longer than 2000 tools"},
		},
		"as many as are taken": {python: `def tools(m): return {"tools": [dict(ECHO, name="t%d" % i) for i in range(2000)]}`, tools: maxTools},
		"cursors that are numbers": {
			python: `
def tools(m):
    at = m["params"].get("cursor", 0)
    return {"tools": [dict(ECHO, name="t%d" % at)], "nextCursor": at + 1 if at < 4 else 0}`,
			tools: 5,
		},
		"cursors that are objects": {
			python: `
def tools(m):
    at = m["params"].get("cursor", {"at": 0})["at"]
    return {"tools": [dict(ECHO, name="t%d" % at)], "nextCursor": {"at": at + 1} if at < 4 else None}`,
			tools: 5,
		},
		"cursors that grow": {
			python: `def tools(m): return {"tools": [], "nextCursor": (m["params"].get("cursor") or "x") * 4}`,
			tools:  0, problems: []string{"longer than 2000 tools or 16 MiB"},
		},
		"a last page with an empty cursor": {python: `def tools(m): return {"tools": [ECHO], "nextCursor": ""}`, tools: 1},
		"a list that shifts while it is read": {
			python: `
def tools(m):
    at = int(m["params"].get("cursor", "0"))
    return {"tools": [dict(ECHO, name="t%d" % i) for i in range(at - 1 if at else 0, at + 2)], **({"nextCursor": str(at + 2)} if at < 4 else {})}`,
			tools: 6,
		},
		"the same name for another tool": {
			python: `def tools(m): return {"tools": [ECHO, dict(ECHO, description="other")]}`,
			tools:  1, problems: []string{"another tool has the same name"},
		},
		"no tools, and an error to be asked": {
			python: `
HELLO.update(capabilities={"prompts": {}})
def answer(m, usual=answer): return {"error": {"code": -32603, "message": "no tools here"}} if m["method"] == "tools/list" else usual(m)`,
		},
		"no members": {python: `def tools(m): return {}`},
		"null":       {python: `def tools(m): return None`},
		"things of all kinds": {
			python: `def tools(m): return {"tools": [None, 1, "x", [], {}, {"name": 7}, {"name": ""}, {"name": "a", "inputSchema": []}, ECHO]}`,
			tools:  1, problems: []string{"no name: null", "not a tool: 1", "not a tool", "not a tool: []", "no name", "no name", "no name", "its input schema is not a JSON object"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(within(t, patience), odd(t, tt.python, Options{}).Conn, Info{Name: "test"})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(s.Tools()); got != tt.tools || len(s.Problems()) != len(tt.problems) {
				t.Fatalf("%d tools, want %d; problems %v", got, tt.tools, s.Problems())
			}
			for i, p := range s.Problems() {
				if !strings.Contains(p.What, tt.problems[i]) {
					t.Errorf("problem %q, want %q", p.What, tt.problems[i])
				}
			}
		})
	}
}

// News of other tools counts in whatever form it comes.
func TestOddNews(t *testing.T) {
	for name, news := range map[string]string{
		"id null":            `"id": None, `,
		"that asks for more": `"id": 7, `,
	} {
		t.Run(name, func(t *testing.T) {
			python := `
more = []
def tools(m): return {"tools": [ECHO] + more}
def call(m):
    more.append(dict(ECHO, name="more"))
    send({"jsonrpc": "2.0", ` + news + `"method": "notifications/tools/list_changed"})
    return text("")`
			seen := make(chan []Tool, 10)
			s, err := Open(within(t, patience), odd(t, python, Options{}).Conn, Info{Name: "test", OnTools: func(tools []Tool) { seen <- tools }})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Call(within(t, patience), "echo", nil, nil); err != nil {
				t.Fatal(err)
			}
			select {
			case tools := <-seen:
				if names(tools) != "echo more" {
					t.Errorf("tools %s", names(tools))
				}
			case <-within(t, patience).Done():
				t.Error("nobody was told")
			}
		})
	}
}

// Calls that get what is no proper answer: each fails at once, for what it was,
// and the next one is served.
func TestOddAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		python string // what the tool answers
		o      Options
		result string
		err    string
	}{
		"result and error":          {python: `send({"jsonrpc": "2.0", "id": id, "result": {}, "error": {"code": -1, "message": "both"}})`, err: "both"},
		"result null and error":     {python: `send({"jsonrpc": "2.0", "id": id, "result": None, "error": {"code": -1, "message": "one"}})`, err: "one"},
		"an error that is a string": {python: `send({"jsonrpc": "2.0", "id": id, "error": "in words"})`, err: "in words"},
		"an error that is a list":   {python: `send({"jsonrpc": "2.0", "id": id, "error": ["in", "a", "list"]})`, err: `"in"`},
		"a code that is a string":   {python: `send({"jsonrpc": "2.0", "id": id, "error": {"code": "EACCES", "message": "denied"}})`, err: "denied"},
		"a message that is none":    {python: `send({"jsonrpc": "2.0", "id": id, "error": {"code": 5, "message": {"a": 1}}})`, err: `{"a": 1}`},
		"no version":                {python: `send({"id": id, "result": {}})`, err: `does not say "jsonrpc"`},
		"100,000 brackets":          {python: `out('{"jsonrpc":"2.0","id":%d,"result":%s\n' % (id, "[" * 100000))`, err: "not valid JSON"},
		"the same, id last":         {python: `out('{"jsonrpc":"2.0","result":%s%s,"id":%d}\n' % ("[" * 100000, "]" * 100000, id))`, err: "not valid JSON"},
		"a line end in a string":    {python: `out('{"jsonrpc":"2.0","id":%d,"result":{"a":"b\nc"}}\n' % id)`, err: "not valid JSON"},
		"NaN, printed for people":   {python: `out(json.dumps({"jsonrpc": "2.0", "id": id, "result": float("nan")}, indent=1) + "\n")`, err: "not valid JSON"},
		"content of nothing":        {python: `send({"jsonrpc": "2.0", "id": id, "result": {"content": []}})`, result: `{"content": []}`},
		"neither":                   {python: `send({"jsonrpc": "2.0", "id": id})`, err: "neither a result nor an error"},
		"too long, in a batch": {
			python: `out('[{"jsonrpc":"2.0","id":7,"result":"%s"},{"jsonrpc":"2.0","id":%d,"result":0}]\n' % ("x" * 100000, id))`,
			o:      Options{MaxFrame: 65536}, err: "longer than one message may be",
		},
		"broken, in a batch": {python: `out('[{"jsonrpc":"2.0","id":7,"result":0},{"jsonrpc":"2.0","id":%d,"result":NaN}]\n' % id)`, err: "not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			python := "n = 0\ndef serve(m, usual=serve):\n    global n\n    id = m['id']\n    n += m['method'] == 'tools/call'\n    if m['method'] != 'tools/call' or n != 1: return usual(m)\n    " + tt.python
			s, err := Open(within(t, patience), odd(t, python, tt.o).Conn, Info{Name: "test"})
			if err != nil {
				t.Fatal(err)
			}
			result, err := s.Call(within(t, patience), "echo", nil, nil)
			if errors.Is(err, context.DeadlineExceeded) {
				t.Error("it waited for its deadline")
			}
			checkCall(t, result, err, tt.result, tt.err, nil)
			if result, err := s.Call(within(t, patience), "echo", nil, nil); err != nil || !sameText(result, "{}") {
				t.Errorf("the next call: %s, %v", result, err)
			}
		})
	}
}

// A question back, which only 2026-07-28 has, is an error in words.
func TestAskingBack(t *testing.T) {
	c := odd(t, "MODERN = -32601"+modern+`
def call(m): return {"resultType": "input_required", "inputRequests": {}}`, Options{})
	s, err := Open(within(t, patience), c.Conn, Info{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call(within(t, patience), "echo", nil, nil); !errors.Is(err, ErrAnswer) || !s.Modern() {
		t.Errorf("error %v, modern %v", err, s.Modern())
	}
}

// Requests whose parts are huge are not repeated to the connector, of which
// many could wait for one that does not read.
func TestHugeRequests(t *testing.T) {
	c := odd(t, `
def call(m):
    for part in ["id", "method"]:
        for i in range(100): send({"jsonrpc": "2.0", "id": i, "method": "x", part: "x" * (60 << 10)})
    return text("")`, Options{})
	s, err := Open(within(t, patience), c.Conn, Info{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call(within(t, patience), "echo", nil, nil); err != nil {
		t.Error(err)
	}
	if got := s.Stats(); got.Refused != 0 || got.Noise != 200 {
		t.Errorf("%+v", got)
	}
}
