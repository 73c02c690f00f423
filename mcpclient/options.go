package mcpclient

import (
	"encoding/json"
	"io"
	"time"

	"go.uber.org/zap"

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
