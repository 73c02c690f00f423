package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

// statusError is an answer of the server that is no message.
type statusError struct {
	code int
	text string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the daemon answered %d %s: %s", e.code, http.StatusText(e.code), e.text)
}

// exchange makes one HTTP request and passes on the messages of the response.
func (b *bridge) exchange(ctx context.Context, method string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, method, b.o.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, values := range b.o.Header {
		req.Header[name] = values
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	if b.session != "" {
		req.Header.Set("Mcp-Session-Id", b.session)
	}
	resp, err := b.o.Client.Do(req)
	if err != nil {
		return fmt.Errorf("cannot reach the daemon: %w", err)
	}
	defer resp.Body.Close()
	if b.first {
		b.session = resp.Header.Get("Mcp-Session-Id")
	}
	return b.receive(ctx, resp)
}

// receive passes on what a response holds: nothing, one message, or a stream.
func (b *bridge) receive(ctx context.Context, resp *http.Response) error {
	if resp.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return &statusError{resp.StatusCode, string(bytes.TrimSpace(text))}
	}
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "text/event-stream":
		return b.events(ctx, bufio.NewReader(resp.Body))
	case "application/json":
		message, err := io.ReadAll(io.LimitReader(resp.Body, maxMessage+1))
		switch {
		case err != nil:
			return err
		case len(message) > maxMessage:
			return fmt.Errorf("cannot take an answer of more than %d MiB", maxMessage>>20)
		}
		return b.line(ctx, message)
	}
	return nil
}

// events passes on the messages of an event stream until it ends.
func (b *bridge) events(ctx context.Context, r *bufio.Reader) error {
	var data []byte
	for {
		line, err := r.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		if text, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(data)+len(text) <= maxMessage {
			data = append(append(data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
		}
		if len(line) == 0 && len(data) > 0 {
			if err := b.line(ctx, data); err != nil {
				return err
			}
			data = nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// line puts a message on a line of its own.
func (b *bridge) line(ctx context.Context, message []byte) error {
	if message = bytes.TrimSpace(message); bytes.ContainsAny(message, "\r\n") {
		var compact bytes.Buffer
		if err := json.Compact(&compact, message); err != nil {
			return fmt.Errorf("cannot read the daemon's answer: %w", err)
		}
		message = compact.Bytes()
	}
	if len(message) > 0 {
		b.send(ctx, message)
	}
	return nil
}

func (b *bridge) send(ctx context.Context, message []byte) {
	select {
	case b.out <- message:
	case <-ctx.Done():
	}
}

// write is the only goroutine that touches the output.
func (b *bridge) write(fail context.CancelCauseFunc) {
	for message := range b.out {
		if _, err := b.o.Out.Write(append(message, '\n')); err != nil {
			fail(fmt.Errorf("cannot write the output: %w", err))
		}
	}
}

// listen keeps the event stream open on which the server speaks unasked.
func (b *bridge) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := b.exchange(ctx, http.MethodGet, nil)
		if status, is := errors.AsType[*statusError](err); is && status.code == http.StatusMethodNotAllowed {
			return // it never does
		}
		select {
		case <-time.After(reopen):
		case <-ctx.Done():
		}
	}
}

// leave ends the session, if the server still listens.
func (b *bridge) leave() {
	if b.session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = b.exchange(ctx, http.MethodDelete, nil)
}
