package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"majordomo/supervisor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// household is a Door and Tokens: two members, each with a few tools of their
// own. The token of ann is ann-token.
type household struct {
	call func(ctx context.Context, member, tool string, args json.RawMessage) (json.RawMessage, error)

	mu      sync.Mutex // protects the fields below
	tools   map[string][]supervisor.Tool
	changed map[string]chan struct{}
}

func (h *household) Tools(_ context.Context, member string) ([]supervisor.Tool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	tools, ok := h.tools[member]
	if !ok {
		return nil, &supervisor.NotFound{Kind: "member", Name: member}
	}
	return tools, nil
}

func (h *household) CallTelling(ctx context.Context, member, tool string, args json.RawMessage, tell func(json.RawMessage)) (json.RawMessage, error) {
	if tell != nil {
		tell(json.RawMessage(`{"progressToken":1000,"progress":1.50,"total":9007199254740993,"message":"half"}`))
	}
	return h.call(ctx, member, tool, args)
}

func (h *household) Changed(member string) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changed[member] == nil {
		h.changed[member] = make(chan struct{})
	}
	return h.changed[member]
}

func (h *household) MemberOfToken(_ context.Context, token string) (string, error) {
	if name, ok := strings.CutSuffix(token, "-token"); ok && (name == "ann" || name == "bob") {
		return name, nil
	}
	return "", &supervisor.NotFound{Kind: "token", Name: "…"}
}

// add gives a member one more tool and tells the gateway.
func (h *household) add(member string, t supervisor.Tool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tools[member] = append(h.tools[member], t)
	if c := h.changed[member]; c != nil {
		close(c)
		delete(h.changed, member)
	}
}

func tool(name string) supervisor.Tool {
	schema := json.RawMessage(`{"type":"object"}`)
	return supervisor.Tool{Name: name, Title: "Title of " + name, InputSchema: schema, Raw: json.RawMessage(`{"name":"raw","inputSchema":{"type":"object"}}`)}
}

// echo answers with the member, the tool and the arguments.
func echo(_ context.Context, member, tool string, args json.RawMessage) (json.RawMessage, error) {
	text, err := json.Marshal(member + " " + tool + " " + string(args))
	return json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}]}`), err
}

// serve runs a gateway on a real address.
func serve(t *testing.T) (*household, string) {
	t.Helper()
	h := &household{call: echo, changed: map[string]chan struct{}{}, tools: map[string][]supervisor.Tool{
		"ann": {tool("mcp__mail__read"), tool("mcp__notes__add")},
		"bob": {tool("mcp__bank__pay")},
	}}
	g := New(Options{Door: h, Tokens: h, Version: "test"})
	s := httptest.NewServer(g)
	t.Cleanup(func() {
		g.Close()
		s.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return h, s.URL + "/mcp"
}

// bearer adds a member's token to every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b)+"-token")
	return http.DefaultTransport.RoundTrip(r)
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

var errFake = errors.New("it broke")
