package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"go.uber.org/zap"
	"golang.org/x/time/rate"

	"majordomo/mcpclient/frame"
)

// Options adjusts a Conn. The zero value works.
type Options struct {
	// MaxFrame is the longest line accepted, in bytes. Default 32 MiB.
	MaxFrame int
	// Budget bounds the bytes of large messages, both ways, over all connectors
	// that share it. Optional.
	Budget *frame.Budget
	// WriteTimeout is how long the connector may read nothing at all of a call
	// for which nobody waits any more, before the connection is given up, and a
	// twelfth of how long it may leave an answer. Default 10 s.
	WriteTimeout time.Duration
	// OnNotification is given every notification of the connector, one at a
	// time and off the reader, so it may call back. A slow one loses
	// notifications (Stats.Dropped), never replies. Optional.
	OnNotification func(method string, params json.RawMessage)
	// Serve names the server requests that go to the handler given to
	// SetRequestHandler. All others but ping are answered "method not found".
	Serve []string
	// Note is told what whoever reads the connector's log should know, a little
	// at a time: what it prints beside the protocol, what it asks for in vain. It
	// must not block. Optional.
	Note func(string)
	// Redact cleans a line before it is kept or logged. Optional.
	Redact func(string) string
	// Log may be nil.
	Log *zap.Logger
}

func (o Options) withDefaults() Options {
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = 10 * time.Second
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	return o
}

// Input is the connector's standard input: an *os.File from os.Pipe, or a
// net.Conn. Without working deadlines a connector that stops reading is only
// noticed by the calls that time out.
type Input interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
}

// Output is the connector's standard output.
type Output interface {
	io.ReadCloser
	SetReadDeadline(time.Time) error
}

// Why a connection is over, beside what Exited was told.
var (
	ErrClosed       = errors.New("the connection was closed")
	ErrOutputClosed = errors.New("the connector closed its output")
	ErrDeaf         = errors.New("the connector stopped reading its input")
)

// lastWords is how long the connection still listens after the process has
// ended, and how long it waits to hear of that end after the output was closed.
const lastWords = 100 * time.Millisecond

// Conn carries JSON-RPC messages to and from one connector. It implements
// mcp-go's transport.BidirectionalInterface. Safe for concurrent use.
type Conn struct {
	opts    Options
	in      Input
	out     Output
	ctx     context.Context // ends with the connection; its cause is why
	stop    context.CancelCauseFunc
	queue   chan *outgoing // to the writer
	events  chan *event    // to the notification handlers
	queued  atomic.Int64   // bytes in events
	changed chan struct{}  // the connector's tools changed
	serving chan struct{}  // slots for server requests in work
	exited  chan struct{}  // closed by Exited, after exitCause is set
	group   sync.WaitGroup
	heard   atomic.Int64 // messages
	notes   notes        // the reader's
	flood   *rate.Limiter

	mu        sync.Mutex // protects the fields below
	pending   map[int64]waiting
	lastID    int64
	exitCause error
	stats     Stats
	lastNoise [][]byte // the start of each line
	onNotify  func(mcp.JSONRPCNotification)
	onRequest transport.RequestHandler
}

var _ transport.BidirectionalInterface = (*Conn)(nil)

// NewConn starts reading and writing. The Conn owns both files from here.
func NewConn(stdin Input, stdout Output, o Options) *Conn {
	c := &Conn{
		opts: o.withDefaults(), in: stdin, out: stdout,
		queue:   make(chan *outgoing, 256),
		events:  make(chan *event, 256),
		changed: make(chan struct{}, 1),
		serving: make(chan struct{}, 8),
		exited:  make(chan struct{}),
		notes:   newNotes(),
		flood:   rate.NewLimiter(floodRate, floodBurst),
		pending: map[int64]waiting{},
		lastID:  firstID - 1,
	}
	c.ctx, c.stop = context.WithCancelCause(context.Background())
	c.group.Go(c.read)
	c.group.Go(c.write)
	c.group.Go(c.notify)
	return c
}

// Done is closed when the connection is over: nothing will be answered any more.
func (c *Conn) Done() <-chan struct{} { return c.ctx.Done() }

// Cause says why the connection is over; nil before Done is closed.
func (c *Conn) Cause() error { return context.Cause(c.ctx) }

// Exited tells the connection that the process has ended and why. What is left
// in the pipe is still delivered, for a moment even when another process holds
// the other end open, and then every pending call fails with cause. Does not
// block; only the first call counts.
func (c *Conn) Exited(cause error) {
	c.mu.Lock()
	first := c.exitCause == nil
	if first {
		c.exitCause = cause
		close(c.exited)
	}
	c.mu.Unlock()
	if first && c.out.SetReadDeadline(time.Now().Add(lastWords)) != nil {
		c.end(cause)
	}
}

// Close ends the connection at once. Idempotent; does not wait.
func (c *Conn) Close() error {
	c.end(ErrClosed)
	return nil
}

// Wait returns when the connection is over and none of its goroutines is left.
// It must not be called from a handler.
func (c *Conn) Wait() {
	<-c.ctx.Done()
	c.group.Wait()
}

// end is the only place that ends the connection; the first cause stays. The
// lock keeps it apart from spawn, so that whom Wait waits for is settled by then.
func (c *Conn) end(cause error) {
	c.mu.Lock()
	c.stop(cause)
	c.mu.Unlock()
	c.in.Close()
	c.out.Close()
}

// spawn runs f in a goroutine of the connection, unless that is over.
func (c *Conn) spawn(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() == nil {
		c.group.Go(f)
	}
}

// over is the error of a call on a connection that is over.
func (c *Conn) over() error {
	return fmt.Errorf("%w: %w", transport.ErrTransportClosed, c.Cause())
}
