package mcpclient

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/time/rate"
)

// Conn carries JSON-RPC messages to and from one connector. It implements
// mcp-go's transport.BidirectionalInterface. Safe for concurrent use.
type Conn struct {
	opts    Options
	in      Input
	out     Output
	ctx     context.Context // ends with the connection; its cause is why
	stop    context.CancelCauseFunc
	queue   chan *outgoing // to the writer
	short   shortcut       // past the writer
	events  chan *event    // to the notification handlers
	queued  atomic.Int64   // bytes in events
	changed chan struct{}  // the connector's tools changed
	serving chan struct{}  // slots for server requests in work
	exited  chan struct{}  // closed by Exited, after exitCause is set
	group   sync.WaitGroup
	heard   atomic.Int64 // messages
	unended atomic.Bool  // the last it wrote was no newline
	notes   notes        // the reader's
	meta    []byte       // members of the _meta of every request; set before the first call
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
	c.short.open(stdin)
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
