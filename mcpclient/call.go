package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"majordomo/mcpclient/frame"
)

// Our ids are small integers of our own, whatever the agents use: some servers
// take only 32 bits, and some answer id 1 to anything.
const firstID, maxID = 1000, math.MaxInt32

// reply is what a call gets.
type reply struct {
	result json.RawMessage
	err    error
}

// waiting is a call in flight.
type waiting struct {
	replies  chan reply            // has room for the one it ever gets
	progress func(json.RawMessage) // nil for a call that asked for none
}

// request sends a request and waits for its reply, the end of ctx or the end of
// the connection. params are compact JSON, or nil.
func (c *Conn) request(ctx context.Context, method string, params []byte) (json.RawMessage, error) {
	return c.requestWith(ctx, method, params, nil)
}

// requestWith asks for progress too, when progress is not nil; params must then
// be an object, and without _meta.
func (c *Conn) requestWith(ctx context.Context, method string, params []byte, progress func(json.RawMessage)) (json.RawMessage, error) {
	id, replies := c.expect(progress)
	defer c.forget(id)
	line := requestLine(id, method, params, c.metaOf(id, progress != nil))
	var err error
	switch {
	case c.opts.Budget.Hold(line, ctx.Done()):
		err = c.enqueue(&outgoing{ctx: ctx, call: id, line: line})
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	default:
		err = frame.ErrNoRoom
	}
	if err != nil {
		return nil, fmt.Errorf("cannot send %s to the connector: %w", method, err)
	}
	select {
	case r := <-replies:
		return r.result, r.err
	case <-ctx.Done():
		err = fmt.Errorf("no answer to %s: %w", method, context.Cause(ctx))
	case <-c.ctx.Done():
		err = c.over()
	}
	select { // a reply that arrived at the same time counts
	case r := <-replies:
		return r.result, r.err
	default:
	}
	if c.forget(id); c.ctx.Err() == nil && method != "initialize" { // which must not be cancelled
		c.cancelled(id, context.Cause(ctx))
	}
	return nil, err
}

// cancelled tells the connector that nobody waits for a call any more.
func (c *Conn) cancelled(id int64, why error) {
	params := fmt.Appendf(nil, `{"requestId":%d,"reason":`, id)
	params = append(appendString(params, why.Error()), '}')
	c.post(notificationLine("notifications/cancelled", params))
}

// expect takes the next free id and a place for its reply.
func (c *Conn) expect(progress func(json.RawMessage)) (int64, <-chan reply) {
	replies := make(chan reply, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if c.lastID++; c.lastID > maxID {
			c.lastID = firstID
		}
		if _, taken := c.pending[c.lastID]; !taken {
			c.pending[c.lastID] = waiting{replies, progress}
			return c.lastID, replies
		}
	}
}

func (c *Conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

// deliver gives r to the call with this id. It reports whether there was one.
func (c *Conn) deliver(id int64, r reply) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok := c.pending[id]
	if ok {
		delete(c.pending, id)
		w.replies <- r
	}
	return ok
}

// waits reports whether a call with this id is in flight.
func (c *Conn) waits(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.pending[id]
	return ok
}

// onlyPending returns the id of the call in flight, if there is exactly one.
func (c *Conn) onlyPending() (id int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id = range c.pending {
	}
	return id, len(c.pending) == 1
}

// RPCError is an error that the connector answered with.
type RPCError struct {
	Code    int
	Message string
	Data    json.RawMessage // nil when absent
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("the connector answered with error %d: %s", e.Code, e.Message)
}

// methodNotFound is JSON-RPC's code for a method that is not there.
const methodNotFound = -32601

// parseError reads an error object, or the bare string that some send instead.
func parseError(raw json.RawMessage) *RPCError {
	var wire struct {
		Code    float64         `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &wire) == nil {
		return &RPCError{Code: int(wire.Code), Message: wire.Message, Data: wire.Data}
	}
	const internal = -32603
	if text, err := jsontext.AppendUnquote(nil, raw); err == nil {
		return &RPCError{Code: internal, Message: string(text)}
	}
	return &RPCError{Code: internal, Message: cut(string(raw), noiseLine), Data: raw}
}
