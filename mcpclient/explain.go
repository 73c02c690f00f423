package mcpclient

import (
	"errors"
	"fmt"

	"majordomo/mcpclient/frame"
)

// ErrFraming is wrapped by the cause of a connection to a connector that does
// not write its messages as MCP has it over a pipe, and so can never be talked
// to. It is known from the first of them.
var ErrFraming = errors.New("MCP wants one JSON message a line, in UTF-8; its author has to change that")

// framing is the end of a connection to those that write in other ways.
var framing = map[frame.Noise]error{
	frame.LSP:   fmt.Errorf("the connector speaks LSP framing, a Content-Length header before each message: %w", ErrFraming),
	frame.UTF16: fmt.Errorf("the connector writes UTF-16: %w", ErrFraming),
}

// explain adds to the error of a handshake what was seen meanwhile and a person
// should know.
func (c *Conn) explain(err error) error {
	if c.ctx.Err() != nil { // the cause says it all
		return err
	}
	if n := c.Stats().Orphans; n > 0 {
		err = fmt.Errorf("%w; it sent %d answers with an id that is not the request's", err, n)
	}
	if c.unended.Load() {
		err = fmt.Errorf("%w; the last it wrote is not ended by a newline, as each message must be", err)
	}
	return err
}
