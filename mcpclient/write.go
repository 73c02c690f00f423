package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// outgoing is one line on its way to the connector. It travels as a pointer: so does an event, and queues that are
// empty most of the time are small.
type outgoing struct {
	ctx  context.Context // a line whose context has ended is not written
	call int64           // the call that fails when it cannot be written; 0 for none
	line []byte
}

// write is the only goroutine that waits for the connector's input.
func (c *Conn) write() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case o := <-c.queue:
			if err := c.writeNext(o); errors.Is(err, os.ErrDeadlineExceeded) {
				c.end(ErrDeaf)
			} else if err != nil {
				err = fmt.Errorf("cannot write to the connector: %w", err)
				c.deliver(o.call, reply{err: err})
				c.inputClosed(err)
			}
		}
	}
}

// writeNext writes a line from the queue, unless nobody wants it any more.
func (c *Conn) writeNext(o *outgoing) error {
	defer c.short.behind.Add(-1)
	if o.ctx.Err() != nil {
		return nil
	}
	c.short.mu.Lock()
	defer c.short.mu.Unlock()
	return c.writeLine(o)
}

// inputClosed ends the connection to a connector that can be told nothing any
// more. Most have ended, which the end of their output says better, and after
// a last reply.
func (c *Conn) inputClosed(err error) {
	timer := time.NewTimer(5 * lastWords)
	defer timer.Stop()
	select {
	case <-c.ctx.Done():
	case <-timer.C:
		c.end(err)
	}
}

// writeLine writes all of a line, or gives up on a connector that is deaf.
func (c *Conn) writeLine(o *outgoing) error {
	line := o.line
	for stalled := 0; ; stalled++ {
		_ = c.in.SetWriteDeadline(time.Now().Add(c.opts.WriteTimeout)) // see Input
		n, err := c.in.Write(line)
		if line = line[n:]; len(line) == 0 {
			return nil
		}
		if n > 0 {
			stalled = 0
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) || n == 0 && o.deaf(stalled) {
			return err
		}
	}
}

// deaf reports whether it is time to give up on a connector that has taken
// nothing for some times WriteTimeout. One that does a single thing at a time
// reads nothing while it works, so that the time is up with the call's.
func (o *outgoing) deaf(stalled int) bool {
	const answerStalls = 12
	if o.call != 0 {
		return o.ctx.Err() != nil
	}
	return stalled >= answerStalls
}

// enqueue writes a line by the shortcut, or hands it to the writer, waiting for room as long as its context.
func (c *Conn) enqueue(o *outgoing) error {
	if o.ctx.Err() == nil && c.ctx.Err() == nil && c.short.write(o.line) {
		return nil
	}
	c.short.behind.Add(1)
	var err error
	select {
	case c.queue <- o:
		return nil
	case <-o.ctx.Done():
		err = o.ctx.Err()
	case <-c.ctx.Done():
		err = c.over()
	}
	c.short.behind.Add(-1)
	return err
}

// post hands a line to the writer if there is room, and drops it otherwise. The
// reader must never wait for a connector that does not read.
func (c *Conn) post(line []byte) {
	c.short.behind.Add(1)
	select {
	case c.queue <- &outgoing{ctx: c.ctx, line: line}:
	default:
		c.short.behind.Add(-1)
		c.count(func(s *Stats) { s.Dropped++ })
	}
}
