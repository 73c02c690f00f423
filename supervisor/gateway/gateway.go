// Package gateway is the door for agents: /mcp, Streamable HTTP with a bearer
// token that says whose tools they get.
//
//	agent ── guard (host, origin, size) ── token → member ─┬─ tools/list, tools/call, ping   here, as raw bytes
//	                                                       └─ everything else                 mcp-go's server
//
// Each member has an mcp-go server of their own, so that sessions, streams and
// notifications cannot cross from one to another. What a connector says of a
// tool or answers to a call is relayed byte by byte and never rebuilt from
// types, which is why those requests do not pass through mcp-go. Ids of agents
// are echoed as they were written.
//
// A member's server has one goroutine that waits for changes of their tools,
// and mcp-go's that forgets idle sessions; Close ends them.
package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"go.uber.org/zap"

	"majordomo/mcpclient/frame"
	"majordomo/supervisor"
)

// Door is where calls go; *supervisor.Supervisor is one.
type Door interface {
	Tools(ctx context.Context, member string) ([]supervisor.Tool, error)
	// CallTelling calls a tool; tell, which may be nil, hears of its progress.
	CallTelling(ctx context.Context, member, tool string, args json.RawMessage, tell func(json.RawMessage)) (json.RawMessage, error)
	// Changed returns a channel that is closed when the member's tools change.
	Changed(member string) <-chan struct{}
}

// Tokens knows whose a token is; *supervisor.Supervisor does.
type Tokens interface {
	MemberOfToken(ctx context.Context, token string) (string, error)
}

// Options of New. Log may be nil.
type Options struct {
	Door    Door
	Tokens  Tokens
	Version string        // of the daemon, told to agents
	Budget  *frame.Budget // of large messages, shared with the connectors; nil = none
	Log     *zap.Logger
}

// Gateway serves agents. Safe for concurrent use.
type Gateway struct {
	o     Options
	guard http.Handler
	ctx   context.Context // ends with Close
	stop  context.CancelFunc
	group sync.WaitGroup

	mu      sync.Mutex // protects the fields below
	members map[string]*member
	closed  bool
}

// New makes a Gateway that owns no goroutine until the first agent comes.
func New(o Options) *Gateway {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	g := &Gateway{o: o, members: map[string]*member{}}
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.guard = guard(http.HandlerFunc(g.authenticate))
	return g
}

// ServeHTTP serves agents that show a token.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.guard.ServeHTTP(w, r) }

// authenticate finds the member by the token.
func (g *Gateway) authenticate(w http.ResponseWriter, r *http.Request) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="majordomo"`)
		http.Error(w, "cannot let you in without a token: send Authorization: Bearer TOKEN; make one with: majordomo token create", http.StatusUnauthorized)
		return
	}
	member, err := g.o.Tokens.MemberOfToken(r.Context(), token)
	if err != nil {
		w.Header().Set("WWW-Authenticate", `Bearer realm="majordomo", error="invalid_token"`)
		http.Error(w, "cannot let you in: "+err.Error(), http.StatusUnauthorized)
		return
	}
	g.ServeMember(w, r, member)
}

// ServeMember serves somebody whom the caller knows to be this member, or to
// act for them.
func (g *Gateway) ServeMember(w http.ResponseWriter, r *http.Request, name string) {
	m, err := g.member(r.Context(), name)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusNotFound)
	case m == nil:
		http.Error(w, "cannot serve this: the daemon is stopping", http.StatusServiceUnavailable)
	default:
		m.ServeHTTP(w, r)
	}
}

// member returns the member's server, made when first needed; nil after Close.
func (g *Gateway) member(ctx context.Context, name string) (*member, error) {
	g.mu.Lock()
	m := g.members[name]
	g.mu.Unlock()
	if m != nil {
		return m, nil
	}
	if _, err := g.o.Door.Tools(ctx, name); err != nil { // there is no such member
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	m = g.members[name]
	if m == nil && !g.closed {
		m = newMember(g.ctx, name, g.o)
		g.members[name] = m
		g.group.Go(m.watch)
	}
	return m, nil
}

// Close ends the streams on which agents wait for news and forgets their
// sessions. Calls in flight are answered; no new ones are taken. Idempotent.
func (g *Gateway) Close() {
	g.mu.Lock()
	g.closed = true
	members := g.members
	g.members = map[string]*member{}
	g.mu.Unlock()
	g.stop()
	for _, m := range members {
		m.close()
	}
	g.group.Wait()
}
