package mcpclient

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"go.uber.org/zap"
)

// Options adjusts a Conn. The zero value works.
type Options struct {
	// MaxFrame is the longest line accepted, in bytes. Default 32 MiB.
	MaxFrame int
	// WriteTimeout is how long the connector may read nothing at all while
	// something is being written to it, before the connection is given up.
	// Default 10 s.
	WriteTimeout time.Duration
	// OnNotification is given every notification of the connector, one at a
	// time and off the reader, so it may call back. One that is slow loses
	// notifications (Stats.Dropped), never replies. Optional.
	OnNotification func(method string, params json.RawMessage)
	// Serve names the server requests that go to the handler given to
	// SetRequestHandler. All others but ping are answered "method not found".
	Serve []string
	// Redact cleans a line before it is kept or logged. Optional.
	Redact func(string) string
	// Log may be nil.
	Log *zap.Logger
}

// Input is the connector's standard input: an *os.File from os.Pipe, or a
// net.Conn.
type Input interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
}

// Output is the connector's standard output.
type Output interface {
	io.ReadCloser
	SetReadDeadline(time.Time) error
}

// Conn carries JSON-RPC messages to and from one connector. Safe for
// concurrent use.
type Conn struct {
	done chan struct{}
}

// NewConn starts reading and writing. The Conn owns both files from here.
func NewConn(stdin Input, stdout Output, o Options) *Conn { return &Conn{done: make(chan struct{})} }

// Done is closed when the connection is over: nothing will be answered any more.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Cause says why the connection is over; nil before Done is closed.
func (c *Conn) Cause() error { return errors.New("not implemented") }

// Exited tells the connection that the process has ended and why. What is left
// in the pipe is still delivered, for a moment even when another process holds
// its end open, and then every pending call fails with cause.
func (c *Conn) Exited(cause error) {}

// Close ends the connection at once. Idempotent; does not wait.
func (c *Conn) Close() error { return errors.New("not implemented") }

// Wait returns when no goroutine of the connection is left. It must not be
// called from a handler.
func (c *Conn) Wait() {}

// Stats is a count of what a connection has seen.
type Stats struct {
	Noise      int64    // lines that were not protocol
	Orphans    int64    // replies nobody waits for: late, duplicate or unknown id
	Unreadable int64    // replies that failed their call: too long, too deep, not JSON
	Refused    int64    // server requests answered with an error
	Dropped    int64    // notifications and answers lost because a queue was full
	LSP        bool     // the connector frames with Content-Length headers, as LSP does
	LastNoise  []string // the last 20 lines of noise, cut and redacted, oldest first
}

// Stats returns the counters so far.
func (c *Conn) Stats() Stats { return Stats{} }
