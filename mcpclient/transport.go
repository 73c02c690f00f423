package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// Start is there for mcp-go's client: a Conn is started by NewConn.
func (c *Conn) Start(context.Context) error {
	if c.ctx.Err() != nil {
		return c.over()
	}
	return nil
}

// SendRequest sends a request under an id of the Conn's own and waits for the
// reply, which carries the id of r again.
func (c *Conn) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	params, err := marshal(r.Params)
	if err != nil {
		return nil, fmt.Errorf("cannot send %s: parameters: %w", r.Method, err)
	}
	result, err := c.request(ctx, r.Method, params)
	if rpc := (*RPCError)(nil); errors.As(err, &rpc) {
		var data any
		if rpc.Data != nil {
			data = rpc.Data
		}
		return transport.NewJSONRPCErrorResponse(r.ID, rpc.Code, rpc.Message, data), nil
	}
	if err != nil {
		return nil, err
	}
	return transport.NewJSONRPCResultResponse(r.ID, result), nil
}

// SendNotification sends a notification. notifications/cancelled is dropped:
// the Conn sends its own when the context of a request ends, with the id that
// the connector knows.
func (c *Conn) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	if n.Method == string(mcp.MethodNotificationCancelled) {
		return nil
	}
	var params []byte
	if n.Params.Meta != nil || n.Params.AdditionalFields != nil {
		var err error
		if params, err = marshal(n.Params); err != nil {
			return fmt.Errorf("cannot send %s: parameters: %w", n.Method, err)
		}
	}
	return c.enqueue(&outgoing{ctx: ctx, line: notificationLine(n.Method, params)})
}

// SetNotificationHandler sets mcp-go's handler; Options.OnNotification is
// another one beside it.
func (c *Conn) SetNotificationHandler(handler func(mcp.JSONRPCNotification)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onNotify = handler
}

// SetRequestHandler sets the handler for the server requests that
// Options.Serve names.
func (c *Conn) SetRequestHandler(handler transport.RequestHandler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onRequest = handler
}

// GetSessionId is empty: a pipe is its own session.
func (c *Conn) GetSessionId() string { return "" }

// marshal encodes parameters on one line, without the escapes for HTML.
func marshal(params any) ([]byte, error) {
	if params == nil {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(params); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
