// Package frame reads newline-delimited JSON-RPC from a program that may print
// anything: banners, half lines, other framings, gigabytes without a newline.
//
//	bytes → lines (bounded) → messages, and noise around them
//
// Only the end of the stream ends a Reader; no content does. It must never hold
// more than a few times the limit of one line, and it never guesses: a message
// is a complete JSON object with "jsonrpc": "2.0" and a method or an id. It has
// no goroutines.
package frame

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// DefaultMax is the longest line accepted when Options names none.
const DefaultMax = 32 << 20

// Message is one JSON-RPC message. Its slices belong to the caller.
type Message struct {
	ID     json.RawMessage // nil when absent, null when it was null
	Method string          // "" for a reply
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage // nil when absent or null
	// Fault wraps ErrTooLong, ErrNoRoom, ErrSyntax or ErrVersion when the line held the reply to ID
	// but could not be read. Nothing but ID is set then; it is null when the
	// line does not show it.
	Fault error
}

// The faults of a reply.
var (
	ErrTooLong = errors.New("the reply is longer than one message may be")
	ErrNoRoom  = errors.New("the message is large, and others hold all the memory there is for large messages; try again")
	ErrSyntax  = errors.New("the reply is not valid JSON")
	ErrVersion = errors.New(`the reply does not say "jsonrpc": "2.0"`)
)

// Noise says why a line, or a part of one, is not a message.
type Noise string

// The kinds of noise.
const (
	NotJSON Noise = "not JSON"
	NotRPC  Noise = "JSON, but not JSON-RPC 2.0"
	TooLong Noise = "too long"
	NoRoom  Noise = "longer than there was room for at that moment"
	LSP     Noise = "a Content-Length header, as LSP frames its messages"
	UTF16   Noise = "UTF-16, where UTF-8 is spoken"
	Spread  Noise = "a message on several lines"
)

// Options adjusts a Reader. The zero value works.
type Options struct {
	Max    int             // bytes of one line; default DefaultMax
	Budget *Budget         // shared with other Readers; nil for none
	Done   <-chan struct{} // closed when waiting for the budget has no use any more; nil for never
	// Skipped is told of bytes of a line that was given up. It may block, to slow
	// down a flood, as may Noise. Optional.
	Skipped func(int)
	// Noise is told of every line that was not only messages. The bytes are
	// valid during the call; those of a line too long are its start.
	Noise func(Noise, []byte)
}

// Reader splits a stream into messages. Not safe for concurrent use.
type Reader struct {
	lines  lineReader
	parse  parser
	spread spread
	lsp    lsp
	noise  func(Noise, []byte)
	ready  []Message // found on the last line, not yet returned
	err    error     // the end of the stream, once seen
}

// NewReader returns a Reader of r, which it reads in pieces of 16 KiB.
func NewReader(r io.Reader, o Options) *Reader {
	if o.Max <= 0 {
		o.Max = DefaultMax
	}
	if o.Noise == nil {
		o.Noise = func(Noise, []byte) {}
	}
	if o.Skipped == nil {
		o.Skipped = func(int) {}
	}
	in := bufio.NewReaderSize(r, 8<<10) // there is one for each connector that runs
	return &Reader{lines: lineReader{in: in, max: o.Max, budget: o.Budget, done: o.Done, skipped: o.Skipped}, noise: o.Noise}
}

// Next returns the next message. It blocks until there is one, and returns the
// error of the underlying reader, io.EOF at the end, when there is none left. A
// last line without a newline counts.
func (r *Reader) Next() (Message, error) {
	for len(r.ready) == 0 {
		if r.err != nil {
			return Message{}, r.err
		}
		r.readLine()
	}
	m := r.ready[0]
	r.ready[0] = Message{} // the slice must not keep its bytes alive
	r.ready = r.ready[1:]
	return m, nil
}

// readLine takes one line, or what the stream still has of it.
func (r *Reader) readLine() {
	var l line
	l, r.err = r.lines.next()
	r.ready = r.ready[:0]
	switch {
	case l.fault == nil:
		r.ready = r.text(r.ready, l.text)
		if len(l.text) > unbudgeted {
			r.parse = parser{} // which may hold on to the line until the next one
		}
	case l.replyTo != nil:
		r.ready = r.scatter(r.ready)
		for _, id := range l.replyTo {
			r.ready = append(r.ready, Message{ID: id, Fault: l.fault})
		}
	case l.fault == ErrNoRoom:
		r.noise(NoRoom, l.text)
	default:
		r.noise(TooLong, l.text)
	}
	if r.err != nil {
		r.ready = r.scatter(r.ready)
	}
}
