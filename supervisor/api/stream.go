package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// event is one line of a long operation's answer: any number of items, then one result or one error.
type event[I, R any] struct {
	Item   *I     `json:"item,omitempty"`
	Result *R     `json:"result,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

const ndjson = "application/x-ndjson"

// How long a report may wait for a client that does not read.
const (
	shared = 10 * time.Second // others may be waiting for the same build, and hear nothing meanwhile
	alone  = 0                // for ever: only the client itself waits
)

// stream answers a long operation: run reports items as they come, its return is the last line. A client that does not
// read for longer than patience counts as gone. Reporting to one that has gone is harmless; the request's context is
// how run learns of it.
func stream[I, R any](w http.ResponseWriter, patience time.Duration, run func(report func(I)) (R, error)) {
	w.Header().Set("Content-Type", ndjson)
	out, control := json.NewEncoder(w), http.NewResponseController(w)
	defer control.SetWriteDeadline(time.Time{}) // the connection may serve another request
	send := func(e event[I, R]) {
		if patience > 0 {
			_ = control.SetWriteDeadline(time.Now().Add(patience))
		}
		if out.Encode(e) == nil {
			_ = control.Flush()
		}
	}
	result, err := run(func(item I) { send(event[I, R]{Item: &item}) })
	if err != nil {
		send(event[I, R]{Error: asError(err)})
		return
	}
	send(event[I, R]{Result: &result})
}

// follow reads what stream wrote.
func follow[I, R any](body io.Reader, onItem func(I)) (R, error) {
	in := json.NewDecoder(body)
	for {
		var e event[I, R]
		var zero R
		switch err := in.Decode(&e); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return zero, errStopped
		case err != nil:
			return zero, fmt.Errorf("cannot read the daemon's answer: %w", err)
		case e.Error != nil:
			return zero, e.Error
		case e.Result != nil:
			return *e.Result, nil
		case e.Item != nil && onItem != nil:
			onItem(*e.Item)
		}
	}
}
