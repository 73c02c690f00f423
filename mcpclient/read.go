package mcpclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"majordomo/mcpclient/frame"
)

// read takes messages until the output ends. It never waits for anybody: what
// it hands on goes to a queue or is dropped and counted.
func (c *Conn) read() {
	r := frame.NewReader(watched{c.out, &c.unended}, frame.Options{Max: c.opts.MaxFrame, Budget: c.opts.Budget, Done: c.ctx.Done(), Noise: c.noise, Skipped: c.slow})
	for {
		m, err := r.Next()
		if err != nil {
			c.end(c.endOfOutput(err))
			return
		}
		c.heard.Add(1)
		switch {
		case m.Method == "":
			c.reply(m)
		case m.ID == nil:
			c.notification(m)
		case strings.HasPrefix(m.Method, "notifications/"): // and yet it waits for an answer
			c.notification(m)
			c.serve(m)
		default:
			c.serve(m)
		}
	}
}

// watched is the connector's output; unended says whether the last of it was
// no newline.
type watched struct {
	io.Reader
	unended *atomic.Bool
}

// Read is that of the Reader.
func (w watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.unended.Store(p[n-1] != '\n')
	}
	return n, err
}

// endOfOutput says why the output ended. A process that ends closes its output
// a moment before its exit is known.
func (c *Conn) endOfOutput(err error) error {
	if errors.Is(err, io.EOF) {
		err = ErrOutputClosed
	}
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-c.exited:
		return c.exitCause
	case <-timer.C:
	case <-c.ctx.Done():
	}
	return err
}

// ErrAnswer is wrapped by the error of a call that was answered in a way that
// nobody can use.
var ErrAnswer = errors.New("cannot use the connector's answer")

// reply gives an answer of the connector to the call that waits for it.
func (c *Conn) reply(m frame.Message) {
	r := reply{result: m.Result}
	switch {
	case m.Fault != nil:
		r.err = fmt.Errorf("%w: %w", ErrAnswer, m.Fault)
		c.count(func(s *Stats) { s.Unreadable++ })
	case m.Error != nil:
		r.err = parseError(m.Error)
	case m.Result == nil:
		r.err = fmt.Errorf("%w: it has neither a result nor an error", ErrAnswer)
	}
	id, ok := parseID(m.ID)
	if !ok && string(m.ID) == "null" && r.err != nil {
		id, ok = c.onlyPending()
	}
	if !ok || !c.deliver(id, r) {
		c.count(func(s *Stats) { s.Orphans++ })
		c.slow(len(m.Result) + len(m.Error) + lineCost)
	}
}

// parseID reads one of our ids out of what came back: 7, "7" and 7.0 are the
// same to many.
func parseID(raw json.RawMessage) (int64, bool) {
	text := strings.Trim(string(raw), `"`)
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return id, true
	}
	f, err := strconv.ParseFloat(text, 64)
	id := int64(f)
	return id, err == nil && float64(id) == f
}

// maxQueued is how many bytes of notifications may wait for the handlers.
const maxQueued = 4 << 20

// notification queues a notification for the handlers.
func (c *Conn) notification(m frame.Message) {
	if m.Method == "notifications/tools/list_changed" {
		select {
		case c.changed <- struct{}{}:
		default: // one is waiting to be acted upon, and will see this change too
		}
	}
	if !c.queueEvent(&event{m, c.progressOf(m)}) {
		c.count(func(s *Stats) { s.Dropped++ })
		c.slow(len(m.Params) + lineCost)
	}
}

// queueEvent reports whether there was room for an event.
func (c *Conn) queueEvent(e *event) bool {
	size := int64(len(e.Params))
	if c.queued.Add(size) <= maxQueued {
		select {
		case c.events <- e:
			return true
		default:
		}
	}
	c.queued.Add(-size)
	return false
}
