package gateway

import (
	"bytes"
	"net/http"
	"strconv"
)

// response collects an answer before it is sent. It is an http.ResponseWriter,
// and an http.Flusher because mcp-go sends notifications that were waiting only
// through one. The parts of the body are written one after the other, so that a
// large result is never copied.
type response struct {
	header http.Header
	status int
	body   [][]byte
}

func ok(body ...[]byte) *response { return &response{status: http.StatusOK, body: body} }

// Header is a part of http.ResponseWriter.
func (a *response) Header() http.Header {
	if a.header == nil {
		a.header = http.Header{}
	}
	return a.header
}

// WriteHeader is a part of http.ResponseWriter.
func (a *response) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write is a part of http.ResponseWriter.
func (a *response) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, bytes.Clone(b))
	return len(b), nil
}

// Flush is a part of http.Flusher.
func (a *response) Flush() {}

func (a *response) write(w http.ResponseWriter) {
	size := 0
	for _, part := range a.body {
		size += len(part)
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if size > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(size))
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
	}
	w.WriteHeader(a.status)
	for _, part := range a.body {
		if _, err := w.Write(part); err != nil { // nobody listens any more
			return
		}
	}
}
