package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
)

// Info says who opens a session, and how.
type Info struct {
	Name, Version string // of this client, told to the connector
	// OnTools is called, off the reader, after the connector changed its tools
	// and they were listed again. Many changes at once become one call.
	OnTools func([]Tool)
}

// Tool is one tool as the connector describes it.
type Tool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage // checked: an object, bounded in size and depth, local references only
	Raw                      json.RawMessage // the whole description, untouched
}

// Quarantined is a tool that is left out, and why.
type Quarantined struct{ Name, Why string }

// Session is an initialized MCP session. Safe for concurrent use.
type Session struct{ conn *Conn }

// Open does the handshake and lists the tools, every page of them, bounded. It
// does not close the Conn when it fails: its owner does. ctx bounds all of it.
func Open(ctx context.Context, c *Conn, info Info) (*Session, error) {
	return nil, errors.New("cannot open the session: not implemented")
}

// Tools returns the tools as last listed, in the connector's order.
func (s *Session) Tools() []Tool { return nil }

// Quarantined returns the tools that were left out of Tools.
func (s *Session) Quarantined() []Quarantined { return nil }

// Call calls a tool by the connector's own name for it and returns the raw
// CallToolResult. Absent or null args become {}. ctx is the only deadline. An
// error the connector answered with is an *RPCError; a result with isError
// true is a result.
func (s *Session) Call(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, error) {
	return nil, errors.New("cannot call: not implemented")
}

// Done is closed when the session is over.
func (s *Session) Done() <-chan struct{} { return s.conn.Done() }

// Cause says why the session is over.
func (s *Session) Cause() error { return s.conn.Cause() }

// Stats returns what the connection has seen.
func (s *Session) Stats() Stats { return s.conn.Stats() }

// RPCError is an error that the connector answered with.
type RPCError struct {
	Code    int
	Message string
	Data    json.RawMessage // nil when absent
}

func (e *RPCError) Error() string { return e.Message }
