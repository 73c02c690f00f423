package gateway

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
)

// post serves one message, or a batch of them as 2025-03-26 has it.
func (m *member) post(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "cannot read this: the content type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, fault := m.read(r)
	if fault != nil {
		http.Error(w, fault.Error(), fault.status)
		return
	}
	body = bytes.TrimSpace(body)
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	unknown := version != "" && !slices.Contains(mcp.LegacyProtocolVersions(), version)
	if unknown && isHandshake(body) { // whose outcome nobody can know yet
		r, unknown = r.Clone(r.Context()), false
		r.Header.Del(mcp.HeaderProtocolVersion)
	}
	switch {
	case unknown:
		m.forward(r, body).write(w) // which says what is spoken here
	case bytes.HasPrefix(body, []byte("[")):
		m.batch(r, body).write(w)
	default:
		m.message(r, body).write(w)
	}
}

func isHandshake(body []byte) bool {
	msg, fault := parse(body)
	return fault == nil && msg.Method == "initialize"
}

// message serves one message.
func (m *member) message(r *http.Request, raw []byte) *response {
	msg, fault := parse(raw)
	if fault != nil {
		return &response{status: http.StatusBadRequest, body: [][]byte{fault.answer(msg.ID)}}
	}
	if msg.Method == "notifications/cancelled" {
		m.cancel(r.Header.Get(sessionHeader), msg.Params)
	}
	if !msg.isRequest() || mcp.IsModernProtocol(msg.era()) {
		return m.forward(r, raw)
	}
	switch msg.Method {
	case "ping":
		return ok(answer(msg.ID, "result", []byte("{}")))
	case "tools/list":
		return ok(m.list(r.Context(), msg))
	case "tools/call":
		return ok(m.call(r, msg)...)
	}
	// mcp-go would round a large number, so it gets an id of ours, which is
	// then replaced in what it answers.
	id := "majordomo:" + strconv.FormatUint(m.forwarded.Add(1), 10)
	a := m.forward(r, msg.as(id))
	for i, part := range a.body {
		a.body[i] = bytes.ReplaceAll(part, []byte(`"id":"`+id+`"`), append([]byte(`"id":`), msg.ID...))
	}
	return a
}

// batch serves the messages of a batch one after the other. The answers to
// requests make the answer; a batch without requests has none.
func (m *member) batch(r *http.Request, raw []byte) *response {
	var all []jsontext.Value
	if err := jsonv2.Unmarshal(raw, &all, lenient); err != nil || len(all) == 0 || len(all) > maxBatch {
		fault := &rpcError{code: mcp.INVALID_REQUEST, message: fmt.Sprintf("not a batch of 1 to %d messages", maxBatch)}
		return &response{status: http.StatusBadRequest, body: [][]byte{fault.answer(nil)}}
	}
	var answers [][]byte
	for _, one := range all {
		if a := inBatch(one, m.message(r, one).body); len(a) > 0 {
			answers = append(append(answers, []byte(",")), a...)
		}
	}
	if answers == nil {
		return &response{status: http.StatusAccepted}
	}
	answers[0] = []byte("[")
	return ok(append(answers, []byte("]"))...)
}

const maxBatch = 64

// inBatch is what stands in a batch for the answer to one message, if anything. What mcp-go says in plain words, of a
// session that is gone, becomes an error, or nothing where nobody asked.
func inBatch(one jsontext.Value, body [][]byte) [][]byte {
	text := bytes.TrimSpace(slices.Concat(body[:min(len(body), 1)]...))
	if len(text) == 0 || text[0] == '{' {
		return body
	}
	msg, _ := parse(one)
	if !msg.isRequest() {
		return nil
	}
	return [][]byte{(&rpcError{code: mcp.INVALID_REQUEST, message: string(text)}).answer(msg.ID)}
}

// forward has mcp-go's server serve a message.
func (m *member) forward(r *http.Request, body []byte) *response {
	inner := r.Clone(context.WithoutCancel(r.Context()))
	inner.Body, inner.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	a := &response{}
	m.http.ServeHTTP(a, inner)
	return a
}
