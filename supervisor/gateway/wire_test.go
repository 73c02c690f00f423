package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"majordomo/mcpclient"
	"majordomo/supervisor"
)

// send posts a body as ann and returns the status, the body and the headers.
func send(t *testing.T, url, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	return do(t, "ann", http.MethodPost, url, body, header...)
}

func do(t *testing.T, member, method, url, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(within(t), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	client := &http.Client{}
	if member != "" {
		client.Transport = bearer(member)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(text)), resp.Header
}

// The id comes back as it was written, for what we answer and what mcp-go does.
func TestIDs(t *testing.T) {
	_, url := serve(t)
	ids := []string{"1", `"1"`, `"5b2e6f0a-7d54-4c9b-8a57-0c1c9a5e4f10"`, `""`, "-1", "9007199254740993", "1.5", "1.50", "1e3",
		`"` + strings.Repeat("x", 10_000) + `"`, `"\u00e9\ud800<&>"`}
	for _, id := range ids {
		for _, method := range []string{"ping", "tools/list", "tools/call", "initialize", "resources/list", "no/such"} {
			params := `{"name":"x"}`
			if method == "initialize" {
				params = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`
			}
			status, body, _ := send(t, url, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params),
				"Mcp-Session-Id", "mcp-session-00000000-0000-4000-8000-000000000000")
			if status != 200 || !strings.Contains(body, `"id":`+id+`,`) && !strings.Contains(body, `"id":`+id+`}`) {
				t.Errorf("%s with id %.40s: %d %.200s", method, id, status, body)
			}
		}
	}
}

// Results and descriptions pass byte by byte.
func TestBytesAreUntouched(t *testing.T) {
	h, url := serve(t)
	results := []string{
		`{"content":[{"type":"text","text":"a","_meta":{"n":9007199254740993},"x":1.50}],"isError":true,"_meta":{"k":[]},"unknown":{"a":null}}`,
		`{"content":[{"type":"image","data":"QUJD","mimeType":"image/png"},{"type":"audio","data":"","mimeType":"audio/wav"},{"type":"new-kind","z":"\u003c<\/"}]}`,
		`{"content":[{"type":"resource","resource":{"uri":"a://b","blob":"QQ=="}},{"type":"resource_link","uri":"x","name":"y","size":18014398509481985}],"structuredContent":{"n":1e400,"s":"\ud800"}}`,
		`{}`,
	}
	for _, result := range results {
		h.call = func(context.Context, string, string, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(result), nil
		}
		_, body, header := send(t, url, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}`)
		if want := `{"jsonrpc":"2.0","id":7,"result":` + result + `}`; body != want || header.Get("Content-Type") != "application/json" {
			t.Errorf("got  %s\nwant %s", body, want)
		}
	}

	h.tools["ann"] = []supervisor.Tool{{
		Name: "mcp__c__t", Title: "T", InputSchema: json.RawMessage(`{"type":"object","oneOf":[{}],"x":9007199254740993}`),
		Raw: json.RawMessage(`{"name":"t","title":"other","description":"d\u00e9","annotations":{"readOnlyHint":true,"x":1.50},"outputSchema":{"type":"object"},"inputSchema":{},"_meta":{"a":9007199254740993},"new":[1]}`),
	}}
	_, body, _ := send(t, url, `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	want := `{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"mcp__c__t","title":"T","inputSchema":{"type":"object","oneOf":[{}],"x":9007199254740993},` +
		`"description":"d\u00e9","annotations":{"readOnlyHint":true,"x":1.50},"outputSchema":{"type":"object"},"_meta":{"a":9007199254740993},"new":[1]}]}}`
	if body != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
}

// The arguments reach the door as they were written; null is none.
func TestArguments(t *testing.T) {
	h, url := serve(t)
	var got string
	h.call = func(_ context.Context, _, _ string, args json.RawMessage) (json.RawMessage, error) {
		got = string(args)
		return json.RawMessage(`{}`), nil
	}
	for in, want := range map[string]string{
		`{"name":"x","arguments":{"n":9007199254740993,"f":1.50,"s":"\ud800<"}}`: `{"n":9007199254740993,"f":1.50,"s":"\ud800<"}`,
		`{"name":"x","arguments":null}`:                                          "", `{"name":"x"}`: "",
	} {
		if send(t, url, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":`+in+`}`); got != want {
			t.Errorf("%s became %q", in, got)
		}
	}
}

// What agents get for what they should not send.
func TestRefusals(t *testing.T) {
	_, url := serve(t)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`
	tests := map[string]struct {
		member, method, body string
		header               []string
		status               int
		says                 string
	}{
		"no token":          {status: 401, says: "token create"},
		"wrong token":       {member: "eve", status: 401, says: "cannot let you in"},
		"another origin":    {member: "ann", header: []string{"Origin", "https://evil.example"}, status: 403},
		"origin null":       {member: "ann", header: []string{"Origin", "null"}, status: 403},
		"rebound name":      {member: "ann", header: []string{"Host", "evil.example"}, status: 403, says: "evil.example"},
		"rebound, no token": {header: []string{"Host", "evil.example:80"}, status: 403},
		"localhost":         {member: "ann", header: []string{"Host", "LOCALHOST.:99"}, status: 200},
		"content type":      {member: "ann", header: []string{"Content-Type", "text/plain"}, status: 415},
		"not JSON":          {member: "ann", body: `{"jsonrpc":`, status: 400, says: "-32700"},
		"not UTF-8":         {member: "ann", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\xff\"}", status: 400, says: "-32700"},
		"nested deeply":     {member: "ann", body: strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), status: 400, says: "-32600"},
		"no version":        {member: "ann", body: `{"id":1,"method":"ping"}`, status: 400, says: "-32600"},
		"a name twice":      {member: "ann", body: `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, status: 400, says: "-32700"},
		"id null":           {member: "ann", body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, status: 400, says: "-32600"},
		"id an object":      {member: "ann", body: `{"jsonrpc":"2.0","id":{},"method":"ping"}`, status: 400, says: `"id":null`},
		"no name":           {member: "ann", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, status: 200, says: "-32602"},
		"no such method":    {member: "ann", body: `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, header: []string{"Mcp-Session-Id", "mcp-session-00000000-0000-4000-8000-000000000000"}, status: 200, says: "-32601"},
		"version 2026": {
			member: "ann", header: []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "ping"}, status: 400, says: "2025-11-25",
			body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		},
		"version in body": {member: "ann", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, status: 400},
		"unknown version": {member: "ann", header: []string{"MCP-Protocol-Version", "1999-01-01"}, status: 400},
		"method PUT":      {member: "ann", method: "PUT", status: 405},
		"too large":       {member: "ann", body: `{"x":"` + strings.Repeat("x", maxBody) + `"}`, status: 413, says: "32 MiB"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.body == "" {
				tt.body = call
			}
			if tt.method == "" {
				tt.method = http.MethodPost
			}
			status, body, header := do(t, tt.member, tt.method, url, tt.body, tt.header...)
			if status != tt.status || !strings.Contains(body, tt.says) {
				t.Errorf("%d %.300s, want %d and %q", status, body, tt.status, tt.says)
			}
			if status == 401 && !strings.HasPrefix(header.Get("WWW-Authenticate"), "Bearer") {
				t.Error("the answer does not say how to authenticate")
			}
		})
	}
}

// Who is not a member has no server, and nobody has one when the daemon stops.
func TestServeMember(t *testing.T) {
	h, _ := serve(t)
	g := New(Options{Door: h, Tokens: h})
	ask := func(member string) (int, string) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		r.Header.Set("Content-Type", "application/json")
		g.ServeMember(w, r, member)
		return w.Code, w.Body.String()
	}
	if code, body := ask("eve"); code != 404 || !strings.Contains(body, `cannot find member "eve"`) {
		t.Errorf("%d %s", code, body)
	}
	if code, body := ask("ann"); code != 200 {
		t.Errorf("%d %s", code, body)
	}
	g.Close()
	if code, body := ask("ann"); code != 503 || !strings.Contains(body, "stopping") {
		t.Errorf("%d %s", code, body)
	}
}

// How the errors of a call look to an agent.
func TestFailedCalls(t *testing.T) {
	h, url := serve(t)
	for want, err := range map[string]error{
		`"error":{"code":-32001,"message":"m","data":{"n":9007199254740993}}`:     fmt.Errorf("x: %w", &mcpclient.RPCError{Code: -32001, Message: "m", Data: json.RawMessage(`{"n":9007199254740993}`)}),
		`"error":{"code":-32602,"message":"cannot find tool \"x\": look"}`:        &supervisor.NotFound{Kind: "tool", Name: "x", Hint: "look"},
		`"error":{"code":-32602,"message":"cannot call x: bad"}`:                  &supervisor.Invalid{What: "call x", Problems: []string{"bad"}},
		`"result":{"content":[{"type":"text","text":"it broke"}],"isError":true}`: errFake,
	} {
		h.call = func(context.Context, string, string, json.RawMessage) (json.RawMessage, error) { return nil, err }
		if _, body, _ := send(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`); body != `{"jsonrpc":"2.0","id":1,`+want+`}` {
			t.Errorf("got %s, want %s", body, want)
		}
	}
	h.call = func(context.Context, string, string, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"x"`), nil
	}
	if _, body, _ := send(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`); !strings.Contains(body, "not a JSON object") {
		t.Errorf("got %s", body)
	}
}

func TestBatch(t *testing.T) {
	_, url := serve(t)
	status, body, _ := send(t, url, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"b","method":"ping"},7]`,
		"Mcp-Session-Id", "mcp-session-00000000-0000-4000-8000-000000000000")
	if status != 200 || !strings.HasPrefix(body, `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"b","result":{}},{"jsonrpc":"2.0","id":null,"error"`) {
		t.Errorf("%d %s", status, body)
	}
	for _, bad := range []string{"[]", "[1", "[" + strings.Repeat("1,", 100) + "1]"} {
		if status, body, _ := send(t, url, bad); status != 400 || !strings.Contains(body, "-32600") {
			t.Errorf("%s: %d %s", bad, status, body)
		}
	}
}

// What is said of a session that is gone is not JSON, and must not end up in the middle of some.
func TestBatchWithoutSession(t *testing.T) {
	_, url := serve(t)
	status, body, _ := send(t, url, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":2,"method":"prompts/list"}]`)
	var answers []struct {
		ID    int
		Error struct{ Message string }
	}
	if err := json.Unmarshal([]byte(body), &answers); status != 200 || err != nil || len(answers) != 2 || answers[1].ID != 2 || answers[1].Error.Message == "" {
		t.Errorf("%d %s (%v)", status, body, err)
	}
}

// An agent's cancellation ends its own call and nobody else's.
func TestCancellation(t *testing.T) {
	h, url := serve(t)
	started := make(chan context.Context, 2)
	h.call = func(ctx context.Context, member, _ string, _ json.RawMessage) (json.RawMessage, error) {
		started <- ctx
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	answers := make(chan string, 1)
	go func() {
		_, body, _ := do(t, "ann", http.MethodPost, url, `{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"x"}}`, "Mcp-Session-Id", "s1")
		answers <- body
	}()
	ctx := <-started
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}`
	do(t, "bob", http.MethodPost, url, cancel, "Mcp-Session-Id", "s1")
	do(t, "ann", http.MethodPost, url, cancel, "Mcp-Session-Id", "s2")
	if ctx.Err() != nil {
		t.Error("the call was cancelled by somebody else")
	}
	do(t, "ann", http.MethodPost, url, cancel, "Mcp-Session-Id", "s1")
	if body := <-answers; !strings.Contains(body, "the agent cancelled") {
		t.Errorf("answer %s", body)
	}
}

// A second stream of a session replaces the first, and hears the news.
func TestStreamIsReplaced(t *testing.T) {
	h, url := serve(t)
	_, _, header := send(t, url, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	for _, session := range []string{header.Get(sessionHeader), "mcp-session-00000000-0000-4000-8000-000000000000"} {
		var streams [2]*http.Response
		for i := range streams {
			r, _ := http.NewRequestWithContext(within(t), http.MethodGet, url, nil)
			r.Header.Set(sessionHeader, session)
			r.Header.Set("Accept", "text/event-stream")
			var err error
			if streams[i], err = (&http.Client{Transport: bearer("ann")}).Do(r); err != nil {
				t.Fatal(err)
			}
			defer streams[i].Body.Close()
		}
		if rest, err := io.ReadAll(streams[0].Body); err != nil || len(rest) != 0 {
			t.Errorf("the first stream ended with %q, %v", rest, err)
		}
		h.add("ann", tool("mcp__x__"+session[len(session)-4:]))
		buf := make([]byte, 4096)
		n, err := streams[1].Body.Read(buf)
		if err != nil || !bytes.Contains(buf[:n], []byte("notifications/tools/list_changed")) {
			t.Errorf("the second stream got %q, %v", buf[:n], err)
		}
	}
}

// An agent is answered in its own protocol version where that is known, and in
// the newest of ours where it is not: a handshake is never refused for it.
func TestVersions(t *testing.T) {
	_, url := serve(t)
	for asked, want := range map[string]string{
		`"2024-11-05"`: "2024-11-05", `"2025-03-26"`: "2025-03-26", `"2025-06-18"`: "2025-06-18", `"2025-11-25"`: "2025-11-25",
		`"2026-07-28"`: "2025-11-25", `"2099-01-01"`: "2025-11-25", `"1999-01-01"`: "2025-11-25", `""`: "2025-03-26", `null`: "2025-03-26", // which is what none means
	} {
		for _, header := range []string{"", strings.Trim(asked, `"`)} {
			body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":` + asked + `,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
			status, got, _ := send(t, url, body, "MCP-Protocol-Version", header)
			if status != 200 || !strings.Contains(got, `"protocolVersion":"`+want+`"`) {
				t.Errorf("asked for %s, header %q: %d %s", asked, header, status, got)
			}
		}
	}
}

// Who gives a token for it hears of the progress of their own call, numbers as
// they were written; nobody else does.
func TestProgress(t *testing.T) {
	_, url := serve(t)
	const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	call := func(session, meta string) {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"` + meta + `}}`
		if status, got, _ := send(t, url, body, sessionHeader, session); status != 200 || !strings.Contains(got, `"result"`) {
			t.Errorf("%s: %d %s", meta, status, got)
		}
	}
	_, _, header := send(t, url, hello)
	session := header.Get(sessionHeader)
	r, _ := http.NewRequestWithContext(within(t), http.MethodGet, url, nil)
	r.Header.Set(sessionHeader, session)
	r.Header.Set("Accept", "text/event-stream")
	stream, err := (&http.Client{Transport: bearer("ann")}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	_, _, other := send(t, url, hello)
	call(other.Get(sessionHeader), `,"_meta":{"progressToken":"other"}`)
	call(session, "")
	call(session, `,"_meta":7`)
	call(session, `,"_meta":{"progressToken":{}}`)
	call(session, `,"_meta":{"progressToken":9007199254740993}`)
	events := bufio.NewScanner(stream.Body)
	for events.Scan() {
		if data, ok := strings.CutPrefix(events.Text(), "data: "); ok {
			want := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"message":"half","progress":1.50,"progressToken":9007199254740993,"total":9007199254740993}}`
			if data != want {
				t.Errorf("got  %s\nwant %s", data, want)
			}
			return
		}
	}
	t.Errorf("the stream ended: %v", events.Err())
}
