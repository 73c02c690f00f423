// Package bridge lets an agent that speaks MCP over standard input and output
// use a server that speaks it over Streamable HTTP. It is dumb: it moves
// messages and looks into one only for its id, and for whether it is the first.
//
//	stdin  line  ──POST──▶  server
//	stdout line  ◀──────    JSON or event stream of the POST, event stream of the GET
//
// Run owns every goroutine and has ended them when it returns. It never writes
// anything but messages to its output.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Options of Run. All but Header are needed.
type Options struct {
	Client *http.Client // its timeout must be 0: streams stay open
	URL    string
	Header http.Header // added to every request
	In     io.Reader
	Out    io.Writer
}

const (
	maxAtOnce  = 64          // requests under way
	maxMessage = 64 << 20    // bytes of one message, either way
	reopen     = time.Second // between two attempts to open the event stream
)

// bridge is one run.
type bridge struct {
	o       Options
	out     chan []byte // to the one writer
	first   bool        // nothing was answered yet, so nothing else is under way
	session string      // given by the first answer
	slots   chan struct{}
	work    sync.WaitGroup // requests under way
}

// Run moves messages until the input ends and everything asked for has been
// answered, or ctx ends.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := &bridge{o: o, first: true, out: make(chan []byte), slots: make(chan struct{}, maxAtOnce)}
	var writer sync.WaitGroup
	writer.Go(func() { b.write(cancel) })
	listen, stop := context.WithCancel(ctx)
	var listener sync.WaitGroup
	err := b.read(ctx, func() { listener.Go(func() { b.listen(listen) }) })
	b.work.Wait()
	stop()
	listener.Wait()
	close(b.out)
	writer.Wait()
	b.leave()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// read takes messages from the input. Everything up to the first answer is
// sent one by one: the session must be known before the next message.
func (b *bridge) read(ctx context.Context, opened func()) error {
	lines := make(chan []byte)
	var failure error
	go func() { // ends with the input; a read cannot be interrupted
		defer close(lines)
		failure = readLines(ctx, b.o.In, lines)
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			switch {
			case !more:
				return failure
			case !b.first:
				b.dispatch(ctx, line)
			case b.post(ctx, line):
				b.first = false
				opened()
			}
		}
	}
}

func readLines(ctx context.Context, in io.Reader, lines chan<- []byte) error {
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			select {
			case lines <- line:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot read the input: %w", err)
		}
	}
}

// dispatch sends a message. A request may take long and does not hold up the
// next one; what expects no answer is sent in order.
func (b *bridge) dispatch(ctx context.Context, line []byte) {
	if idOf(line) == nil {
		b.post(ctx, line)
		return
	}
	select {
	case b.slots <- struct{}{}:
		b.work.Go(func() {
			defer func() { <-b.slots }()
			b.post(ctx, line)
		})
	case <-ctx.Done():
	}
}

// idOf returns the id of a message that waits for an answer.
func idOf(line []byte) json.RawMessage {
	var m struct {
		ID     json.RawMessage
		Method *string
	}
	if json.Unmarshal(line, &m) != nil || m.Method == nil || string(m.ID) == "null" {
		return nil
	}
	return m.ID
}

// post sends one message and passes on what comes back. What fails is answered
// with an error, so that the agent does not wait for ever.
func (b *bridge) post(ctx context.Context, line []byte) (answered bool) {
	err := b.exchange(ctx, http.MethodPost, line)
	id := idOf(line)
	if err == nil || id == nil || ctx.Err() != nil {
		return err == nil && id != nil
	}
	message, _ := json.Marshal(err.Error()) // a string always encodes
	b.send(ctx, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s}}`, id, message))
	return false
}
