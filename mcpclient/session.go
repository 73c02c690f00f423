package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"go.uber.org/zap"
)

// Info says who opens a session, and how.
type Info struct {
	Name, Version string // of this client, told to the connector
	// OnTools is called, off the reader, after the connector changed its tools
	// and they were listed again. Many changes at once become one call. Optional.
	OnTools func([]Tool)
	// OnAlive is called when an idle connector that answered before leaves a ping
	// unanswered, and when it says something again. Advice: there are good
	// connectors that are busy. Optional.
	OnAlive func(alive bool)
	// Modern asks first for the protocol of 2026-07-28, which has no handshake:
	// for a connector that does not survive being asked for another one.
	Modern bool
}

// Session is an initialized MCP session. Safe for concurrent use.
type Session struct {
	conn   *Conn
	server mcp.InitializeResult
	modern bool
	tools  atomic.Pointer[listing]
}

// Open does the handshake and lists the tools, every page of them, bounded. A
// connector of either era is spoken to in its own. Open does not close the Conn when it fails: its owner does. ctx bounds all of it.
// The capabilities we declare are those we serve: none.
func Open(ctx context.Context, c *Conn, info Info) (*Session, error) {
	s := &Session{conn: c}
	if err := s.initialize(ctx, info); err != nil {
		return nil, c.explain(err)
	}
	l, err := s.list(ctx)
	if err != nil {
		return nil, c.explain(err)
	}
	s.tools.Store(l)
	c.spawn(func() { s.follow(info.OnTools) })
	c.spawn(func() { c.keepAlive(info.OnAlive) })
	return s, nil
}

// Server is what the connector said of itself in the handshake.
func (s *Session) Server() mcp.InitializeResult { return s.server }

// Modern reports whether it speaks the protocol of 2026-07-28 or later.
func (s *Session) Modern() bool { return s.modern }

// Tools returns the tools as last listed, in the connector's order. The slice
// must not be changed.
func (s *Session) Tools() []Tool { return s.tools.Load().tools }

// Problems returns what was left out of Tools, and why.
func (s *Session) Problems() []Problem { return s.tools.Load().problems }

// refreshPause is the least time from one refresh of the tools to the next. It
// grows, up to stormPause, while changes do not end, so that a storm of them
// costs little. refreshTimeout bounds one.
const (
	refreshPause   = 250 * time.Millisecond
	stormPause     = 30 * time.Second
	refreshTimeout = 30 * time.Second
)

// follow lists the tools again after they changed. A change during a refresh is
// followed by another one, so the last change always counts.
func (s *Session) follow(onTools func([]Tool)) {
	for pause := refreshPause; ; {
		select {
		case <-s.conn.Done():
			return
		case <-s.conn.changed:
		}
		if err := s.refresh(); err != nil {
			s.conn.opts.Log.Warn("cannot list the connector's tools again; the old list stays", zap.Error(err))
		} else if onTools != nil {
			onTools(s.Tools())
		}
		select {
		case <-s.conn.Done():
			return
		case <-time.After(pause):
		}
		if pause = min(2*pause, stormPause); len(s.conn.changed) == 0 {
			pause = refreshPause
		}
	}
}

func (s *Session) refresh() error {
	ctx, cancel := context.WithTimeout(s.conn.ctx, refreshTimeout)
	defer cancel()
	l, err := s.list(ctx)
	if err == nil {
		s.tools.Store(l)
	}
	return err
}

// Call calls a tool by the connector's own name for it and returns the raw
// CallToolResult, bytes untouched. Absent or null args become {}. ctx is the
// only deadline; when it ends the connector is told. An error the connector
// answered with is an *RPCError; a result with isError true is a result. An
// answer that is no use wraps ErrAnswer, and the session goes on.
//
// The connector is always asked to tell of its progress. progress, which may be
// nil, is given the raw parameters of each notification about this call, one at
// a time, on the goroutine of Options.OnNotification; it may still be running
// when Call returns.
func (s *Session) Call(ctx context.Context, tool string, args json.RawMessage, progress func(json.RawMessage)) (json.RawMessage, error) {
	params, err := callParams(tool, args)
	if err != nil {
		return nil, fmt.Errorf("cannot call %s: %w", tool, err)
	}
	if progress == nil {
		progress = func(json.RawMessage) {}
	}
	result, err := s.conn.requestWith(ctx, "tools/call", params, progress)
	if err == nil && s.modern && asksBack(result) {
		return nil, fmt.Errorf("%w: it wants to ask something before it goes on, which cannot be done here", ErrAnswer)
	}
	return result, err
}

// asksBack reports whether a result of 2026-07-28 is a question instead.
func asksBack(result json.RawMessage) bool {
	var kind struct {
		ResultType mcp.ResultType `json:"resultType"`
	}
	return unmarshal(result, &kind) == nil && kind.ResultType == mcp.ResultTypeInputRequired
}

// callParams builds the parameters of tools/call. The arguments are compacted
// apart, so that they cannot be more than arguments.
func callParams(tool string, args json.RawMessage) ([]byte, error) {
	text := strings.TrimSpace(string(args[:min(len(args), 16)]))
	if text == "" || text == "null" {
		args = json.RawMessage("{}")
	} else if text[0] != '{' {
		return nil, errors.New("the arguments are not a JSON object")
	}
	params := append(make([]byte, 0, len(args)+len(tool)+64), `{"name":`...)
	params = append(appendString(params, tool), `,"arguments":`...)
	params, err := appendCompact(params, args)
	if err != nil {
		return nil, fmt.Errorf("the arguments are not a JSON object: %w", err)
	}
	return append(params, '}'), nil
}

// Done is closed when the session is over.
func (s *Session) Done() <-chan struct{} { return s.conn.Done() }

// Cause says why the session is over; nil before Done is closed.
func (s *Session) Cause() error { return s.conn.Cause() }

// Stats returns what the connection has seen.
func (s *Session) Stats() Stats { return s.conn.Stats() }
