package mcpclient

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// peer is the connector's side of a Conn, played by the test.
type peer struct {
	t   *testing.T
	in  *bufio.Reader // what the Conn writes
	out *os.File      // what the Conn reads
}

func pair(t *testing.T, o Options) (*Conn, *peer) {
	t.Helper()
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := NewConn(inWrite, outRead, o)
	t.Cleanup(func() {
		c.Close()
		outWrite.Close()
		inRead.Close()
		c.Wait()
	})
	return c, &peer{t, bufio.NewReader(inRead), outWrite}
}

// read returns the next line of the Conn.
func (p *peer) read() string {
	p.t.Helper()
	line, err := p.in.ReadString('\n')
	if err != nil {
		p.t.Errorf("the connector cannot read: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (p *peer) say(format string, args ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.out, format+"\n", args...); err != nil {
		p.t.Errorf("the connector cannot write: %v", err)
	}
}

// answered is what a request got.
type answered struct {
	result string
	err    error
}

// ask makes a request in the background.
func ask(t *testing.T, c *Conn, method string) <-chan answered {
	ctx := within(t, patience)
	got := make(chan answered, 1)
	go func() {
		result, err := c.request(ctx, method, nil)
		got <- answered{string(result), err}
	}()
	return got
}

func TestIDsStayInRange(t *testing.T) {
	c, p := pair(t, Options{})
	c.mu.Lock()
	c.lastID = maxID - 1
	c.mu.Unlock()
	var calls []<-chan answered
	for _, want := range []int64{maxID, firstID, firstID + 1} {
		calls = append(calls, ask(t, c, "m"))
		if line := p.read(); line != fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m"}`, want) {
			t.Errorf("the connector saw %s, want id %d", line, want)
		}
	}
	// The next time round the two that are still in use are passed over.
	p.say(`{"jsonrpc":"2.0","id":%d,"result":1}`, maxID)
	<-calls[0]
	c.mu.Lock()
	c.lastID = maxID
	c.mu.Unlock()
	ask(t, c, "m")
	if line := p.read(); !strings.Contains(line, fmt.Sprintf(`"id":%d,`, firstID+2)) {
		t.Errorf("the connector saw %s", line)
	}
}

// An error without an id belongs to the only call there is; with two it belongs
// to nobody.
func TestErrorWithoutID(t *testing.T) {
	c, p := pair(t, Options{})
	first, second := ask(t, c, "a"), ask(t, c, "b")
	p.read()
	p.read()
	p.say(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`)
	p.say(`{"jsonrpc":"2.0","id":null,"result":1}`)
	p.say(`{"jsonrpc":"2.0","id":1000,"result":1}`)
	p.say(`{"jsonrpc":"2.0","id":"1001","result":2}`)
	for _, call := range []<-chan answered{first, second} {
		if got := <-call; got.err != nil {
			t.Errorf("%v", got.err)
		}
	}
	if s := c.Stats(); s.Orphans != 2 {
		t.Errorf("%d orphans", s.Orphans)
	}
}

// Handlers may call back, and see notifications in order; a slow one loses
// some, but holds up no reply.
func TestNotificationHandler(t *testing.T) {
	var c *Conn
	var p *peer
	ready, release := make(chan struct{}), make(chan struct{})
	seen := make(chan string, 1000)
	c, p = pair(t, Options{OnNotification: func(method string, params json.RawMessage) {
		if method == "callback" {
			<-ready
			result, err := c.request(within(t, patience), "from/handler", nil)
			seen <- fmt.Sprint(string(result), err)
			<-release
			return
		}
		seen <- method + string(params)
	}})
	close(ready)
	p.say(`{"jsonrpc":"2.0","method":"one","params":{"n":9007199254740993}}`)
	p.say(`{"jsonrpc":"2.0","method":"callback"}`)
	p.read()
	p.say(`{"jsonrpc":"2.0","id":1000,"result":"back"}`)
	for _, want := range []string{`one{"n":9007199254740993}`, `"back"<nil>`} {
		if got := <-seen; got != want {
			t.Errorf("saw %s, want %s", got, want)
		}
	}
	call := ask(t, c, "m")
	p.read()
	for range 400 {
		p.say(`{"jsonrpc":"2.0","method":"flood"}`)
	}
	p.say(`{"jsonrpc":"2.0","id":1001,"result":1}`)
	if got := <-call; got.err != nil {
		t.Error(got.err)
	}
	if dropped := c.Stats().Dropped; dropped == 0 || dropped > 400-200 {
		t.Errorf("%d notifications dropped", dropped)
	}
	close(release)
}

// answerer is a sampling handler of mcp-go's client.
type answerer func() (*mcp.CreateMessageResult, error)

func (f answerer) CreateMessage(context.Context, mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	return f()
}

// Requests that Options.Serve names reach mcp-go's handlers, a few at a time;
// the id of the connector comes back as it was.
func TestServe(t *testing.T) {
	c, p := pair(t, Options{Serve: []string{"sampling/createMessage"}})
	hold := make(chan struct{})
	answers := make(chan answerer, 100)
	above := client.NewClient(c, client.WithSamplingHandler(answerer(func() (*mcp.CreateMessageResult, error) { return (<-answers)() })))
	if err := above.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	good := func() (*mcp.CreateMessageResult, error) { return &mcp.CreateMessageResult{Model: "m"}, nil }
	for name, tt := range map[string]struct {
		answer answerer
		want   string
	}{
		"result": {good, `"id":9007199254740993,"result":{`},
		"error":  {func() (*mcp.CreateMessageResult, error) { return nil, errors.New("no") }, `"error":{"code":-32603,"message":"no"}`},
		"panic":  {func() (*mcp.CreateMessageResult, error) { panic("oh") }, `"error":{"code":-32603,"message":"handler: oh"}`},
	} {
		answers <- tt.answer
		p.say(`{"jsonrpc":"2.0","id":9007199254740993,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
		if line := p.read(); !strings.Contains(line, tt.want) {
			t.Errorf("%s: the connector got %s", name, line)
		}
	}

	for range cap(c.serving) {
		answers <- func() (*mcp.CreateMessageResult, error) { <-hold; return good() }
		p.say(`{"jsonrpc":"2.0","id":"a","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
	}
	p.say(`{"jsonrpc":"2.0","id":"b","method":"sampling/createMessage"}`)
	p.say(`{"jsonrpc":"2.0","id":"c","method":"elicitation/create"}`)
	if line := p.read(); !strings.Contains(line, `"id":"b","error":{"code":-32000,"message":"too many requests at once"}`) {
		t.Errorf("the connector got %s", line)
	}
	if line := p.read(); !strings.Contains(line, `"id":"c","error":{"code":-32601`) {
		t.Errorf("the connector got %s", line)
	}
	close(hold)
	for range cap(c.serving) {
		if line := p.read(); !strings.Contains(line, `"id":"a","result"`) {
			t.Errorf("the connector got %s", line)
		}
	}
}

// A flood of requests from a connector that reads no answers is bounded, and
// its replies still arrive.
func TestFloodOfRequests(t *testing.T) {
	c, p := pair(t, Options{})
	call := ask(t, c, "m")
	p.read()
	for range 20_000 {
		p.say(`{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage"}`)
	}
	p.say(`{"jsonrpc":"2.0","id":1000,"result":1}`)
	if got := <-call; got.err != nil {
		t.Error(got.err)
	}
	if s := c.Stats(); s.Refused != 20_000 || s.Dropped == 0 {
		t.Errorf("%+v", s)
	}
}

// The process has ended, but something of it holds the pipe: what it still said
// counts, and then every call fails with the cause.
func TestExited(t *testing.T) {
	c, p := pair(t, Options{})
	first, second := ask(t, c, "m"), ask(t, c, "m")
	p.read()
	p.read()
	cause := errors.New("exit status 7")
	p.say(`{"jsonrpc":"2.0","id":1000,"result":1}`)
	p.say(`{"jsonrpc":"2.0","id":1001,"result":1}`)
	third := ask(t, c, "m")
	p.read()
	c.Exited(cause)
	c.Exited(errors.New("told twice"))
	for i, call := range []<-chan answered{first, second} {
		if got := <-call; got.err != nil {
			t.Errorf("call %d: %v", i, got.err)
		}
	}
	if got := <-third; !errors.Is(got.err, cause) || !errors.Is(got.err, transport.ErrTransportClosed) {
		t.Errorf("the call in flight got %v", got.err)
	}
	if c.Wait(); c.Cause() != cause {
		t.Errorf("cause %v", c.Cause())
	}
}

func TestClosed(t *testing.T) {
	c, p := pair(t, Options{})
	if c.Cause() != nil {
		t.Errorf("cause %v before the end", c.Cause())
	}
	call := ask(t, c, "m")
	p.read()
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := <-call; !errors.Is(got.err, ErrClosed) {
		t.Errorf("the call in flight got %v", got.err)
	}
	if got := <-ask(t, c, "m"); !errors.Is(got.err, ErrClosed) {
		t.Errorf("a later call got %v", got.err)
	}
	if err := c.Start(t.Context()); !errors.Is(err, transport.ErrTransportClosed) {
		t.Errorf("start: %v", err)
	}
	c.Wait()
}

// What mcp-go's client sends through the Conn.
func TestTransport(t *testing.T) {
	c, p := pair(t, Options{})
	got := make(chan *transport.JSONRPCResponse, 1)
	ctx := within(t, patience)
	go func() {
		r, err := c.SendRequest(ctx, transport.JSONRPCRequest{ID: mcp.NewRequestId("its own"), Method: "m", Params: map[string]any{"a": "<"}})
		if err != nil {
			t.Error(err)
		}
		got <- r
	}()
	if line := p.read(); line != `{"jsonrpc":"2.0","id":1000,"method":"m","params":{"a":"<"}}` {
		t.Errorf("the connector saw %s", line)
	}
	p.say(`{"jsonrpc":"2.0","id":1000,"error":{"code":-1,"message":"m","data":[1]}}`)
	if r := <-got; r.ID.Value() != "its own" || r.Error.Code != -1 || fmt.Sprintf("%s", r.Error.Data) != "[1]" {
		t.Errorf("response %+v", r)
	}
	cancelled := mcp.JSONRPCNotification{}
	cancelled.Method = "notifications/cancelled"
	other := mcp.JSONRPCNotification{}
	other.Method = "notifications/progress"
	other.Params.AdditionalFields = map[string]any{"progress": 1}
	for _, n := range []mcp.JSONRPCNotification{cancelled, other} {
		if err := c.SendNotification(ctx, n); err != nil {
			t.Error(err)
		}
	}
	if line := p.read(); line != `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}` {
		t.Errorf("the connector saw %s", line)
	}
	if _, err := c.SendRequest(ctx, transport.JSONRPCRequest{Method: "m", Params: make(chan int)}); err == nil {
		t.Error("parameters that are no JSON were sent")
	}
}

// Noise is counted, its end is kept for people, and it is mentioned once.
func TestNoiseIsKept(t *testing.T) {
	core, logged := observer.New(zap.WarnLevel)
	c, p := pair(t, Options{Log: zap.New(core), Redact: func(s string) string { return strings.ReplaceAll(s, "hush", "[redacted]") }})
	call := ask(t, c, "m")
	p.read()
	for i := range 30 {
		p.say("line %d \x1b[1mhush\x1b[0m %s", i, strings.Repeat("é", 1000))
	}
	p.say(`{"jsonrpc":"2.0","id":1000,"result":1}`)
	<-call
	s := c.Stats()
	if s.Noise != 30 || len(s.LastNoise) != noiseLines {
		t.Fatalf("%d lines, %d kept", s.Noise, len(s.LastNoise))
	}
	if last := s.LastNoise[19]; !strings.HasPrefix(last, "line 29 [redacted] é") || len(last) > noiseLine+len("…") {
		t.Errorf("kept %q", last)
	}
	if logged.Len() != 1 {
		t.Errorf("logged %d times", logged.Len())
	}
}

// Of a secret that the line is cut in, no half is shown, though colours be most of the line.
func TestNoiseCutInASecret(t *testing.T) {
	const secret = "correct-horse-battery-staple"
	c, p := pair(t, Options{Redact: func(s string) string { return strings.ReplaceAll(s, secret, "[redacted]") }})
	call := ask(t, c, "m")
	p.read()
	p.say("%s%s", strings.Repeat("\x1b[1m", noiseScan)[:noiseScan-len(secret)/2], secret)
	p.say(`{"jsonrpc":"2.0","id":1000,"result":1}`)
	<-call
	if s := c.Stats(); len(s.LastNoise) != 1 || strings.Contains(s.LastNoise[0], "horse") {
		t.Errorf("kept %q", s.LastNoise)
	}
}

// Behind a terminal, or for debugging, a connector repeats what it reads. To
// answer that would be to answer our own call, once the answer is repeated too.
func TestEcho(t *testing.T) {
	c, p := pair(t, Options{})
	call := ask(t, c, "tools/call")
	p.say("%s", p.read())
	p.say(`DEBUG got {"jsonrpc":"2.0","id":1000,"method":"tools/call","params":{}}`)
	p.say(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
	if line := p.read(); line != `{"jsonrpc":"2.0","id":7,"result":{}}` {
		t.Errorf("the connector saw %s", line)
	}
	p.say(`{"jsonrpc":"2.0","id":1000,"result":1}`)
	if got := <-call; got.err != nil {
		t.Error(got.err)
	}
	if s := c.Stats(); s.Noise != 3 || s.Refused != 0 {
		t.Errorf("%+v", s)
	}
}
