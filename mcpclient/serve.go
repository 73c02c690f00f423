package mcpclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"majordomo/mcpclient/frame"
)

// serve answers a request of the connector: at once, or by the handler when
// Options.Serve names it and a slot is free. Silence would leave the connector
// waiting inside a call of ours.
func (c *Conn) serve(m frame.Message) {
	if c.isEcho(m) {
		c.noise(Echo, []byte(m.Method))
		return
	}
	if m.Method == "ping" {
		c.post(answerLine(m.ID, "result", []byte("{}")))
		return
	}
	c.mu.Lock()
	handler := c.onRequest
	c.mu.Unlock()
	if handler == nil || !slices.Contains(c.opts.Serve, m.Method) {
		c.noteRefusal(m.Method)
		c.post(c.refusal(m.ID, methodNotFound, "method not found: "+m.Method))
		return
	}
	select {
	case c.serving <- struct{}{}:
		c.spawn(func() {
			line := c.handle(handler, m)
			<-c.serving
			c.post(line)
		})
	default:
		c.post(c.refusal(m.ID, -32000, "too many requests at once"))
	}
}

// Echo is the noise of a connector that repeats what it reads.
const Echo frame.Noise = "an echo of a request that was sent to it"

// isEcho reports whether a request is our own come back. Were it answered, the
// answer might come back too, as the reply to the call.
func (c *Conn) isEcho(m frame.Message) bool {
	switch m.Method {
	case "initialize", "tools/list", "tools/call":
		return true // only a client sends these
	case "ping":
		id, ok := parseID(m.ID)
		return ok && c.waits(id)
	}
	return false
}

// handle runs the handler and returns the line that answers the request.
func (c *Conn) handle(handler transport.RequestHandler, m frame.Message) []byte {
	var id mcp.RequestId
	_ = json.Unmarshal(m.ID, &id) // for the handler's eyes; the answer repeats the bytes
	request := transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Method: m.Method}
	if m.Params != nil {
		request.Params = m.Params
	}
	response, err := guarded(func() (*transport.JSONRPCResponse, error) { return handler(c.ctx, request) })
	if err != nil {
		return c.refusal(m.ID, mcp.INTERNAL_ERROR, err.Error())
	}
	if response.Error != nil {
		return c.refusal(m.ID, response.Error.Code, response.Error.Message)
	}
	result, err := appendCompact(nil, response.Result)
	if err != nil {
		return c.refusal(m.ID, mcp.INTERNAL_ERROR, "no valid result")
	}
	return answerLine(m.ID, "result", result)
}

// guarded turns a panic of the handler, or no answer at all, into an error.
func guarded(f func() (*transport.JSONRPCResponse, error)) (r *transport.JSONRPCResponse, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("handler: %v", p)
		}
	}()
	if r, err = f(); err == nil && r == nil {
		err = errors.New("no answer")
	}
	return r, err
}

// refusal counts and returns the line that answers a request with an error.
func (c *Conn) refusal(id json.RawMessage, code int, message string) []byte {
	c.count(func(s *Stats) { s.Refused++ })
	value := fmt.Appendf(nil, `{"code":%d,"message":`, code)
	value = append(appendString(value, message), '}')
	return answerLine(id, "error", value)
}

// notify runs the notification handlers, one at a time.
func (c *Conn) notify() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case m := <-c.events:
			c.queued.Add(-int64(len(m.Params)))
			if m.progress != nil {
				m.progress(m.Params)
			}
			if c.opts.OnNotification != nil {
				c.opts.OnNotification(m.Method, m.Params)
			}
			c.notifyTyped(m.Message)
		}
	}
}

// event is a notification, and who waits for it if it is about one call.
type event struct {
	frame.Message
	progress func(json.RawMessage)
}

// progressOf returns what the call wants told that a progress notification is
// about, or nil. It is settled on arrival: the reply may come next.
func (c *Conn) progressOf(m frame.Message) func(json.RawMessage) {
	var about struct {
		Token jsontext.Value `json:"progressToken"`
	}
	if m.Method != "notifications/progress" || unmarshal(m.Params, &about) != nil {
		return nil
	}
	id, ok := parseID(json.RawMessage(about.Token))
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending[id].progress
}

// notifyTyped serves mcp-go's client above.
func (c *Conn) notifyTyped(m frame.Message) {
	c.mu.Lock()
	handler := c.onNotify
	c.mu.Unlock()
	if handler == nil {
		return
	}
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = m.Method
	if m.Params == nil || json.Unmarshal(m.Params, &n.Params) == nil {
		handler(n)
	}
}
