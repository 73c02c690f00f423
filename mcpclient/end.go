package mcpclient

import (
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// Why a connection is over, beside what Exited was told.
var (
	ErrClosed       = errors.New("the connection was closed")
	ErrOutputClosed = errors.New("the connector closed its output")
	ErrDeaf         = errors.New("the connector stopped reading its input")
)

// lastWords is how long the connection still listens after the process has
// ended, and how long it waits to hear of that end after the output was closed.
const lastWords = 100 * time.Millisecond

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
