package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
)

// message is one JSON-RPC message of an agent. Its parts are parts of what was
// read, as they were written: nothing large is copied.
type message struct {
	ID     jsontext.Value // nil when absent
	Method string         // "" when absent
	Params jsontext.Value
}

// parse reads a message. The error is what to answer.
func parse(raw []byte) (message, *rpcError) {
	var m message
	var version, method jsontext.Value
	err := members(raw, func(name string, value jsontext.Value) {
		switch name {
		case "jsonrpc":
			version = value
		case "id":
			m.ID = value
		case "method":
			method = value
		case "params":
			m.Params = value
		}
	})
	_, notJSON := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !utf8.Valid(raw):
		return m, &rpcError{code: mcp.PARSE_ERROR, message: "not valid UTF-8"}
	case notJSON, err == errMore, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return m, &rpcError{code: mcp.PARSE_ERROR, message: "not valid JSON: " + err.Error()}
	case err != nil:
		return m, &rpcError{code: mcp.INVALID_REQUEST, message: "not a JSON-RPC message: " + err.Error()}
	case string(version) != `"2.0"`:
		return m, &rpcError{code: mcp.INVALID_REQUEST, message: `not a JSON-RPC message: jsonrpc must be "2.0"`}
	}
	if k := m.ID.Kind(); m.ID != nil && k != '"' && k != '0' {
		m.ID = nil
		return m, &rpcError{code: mcp.INVALID_REQUEST, message: "the id must be a string or a number"}
	}
	if method != nil && method.Kind() != '"' {
		return m, &rpcError{code: mcp.INVALID_REQUEST, message: "not a JSON-RPC message: the method must be a string"}
	}
	m.Method = text(method)
	return m, nil
}

// errMore says that more than one value was read.
var errMore = errors.New("something follows the message")

// members calls f with each member of the object that raw is. The values are
// parts of raw.
func members(raw []byte, f func(name string, value jsontext.Value)) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
	if dec.PeekKind() != '{' {
		if _, err := dec.ReadValue(); err != nil {
			return err
		}
		return errors.New("it is not an object")
	}
	_, err := dec.ReadToken()
	for err == nil && dec.PeekKind() == '"' {
		var name jsontext.Token
		if name, err = dec.ReadToken(); err != nil {
			break
		}
		field := name.String()
		var value jsontext.Value
		if value, err = dec.ReadValue(); err == nil {
			end := int(dec.InputOffset())
			f(field, jsontext.Value(raw[end-len(value):end:end]))
		}
	}
	if err == nil {
		_, err = dec.ReadToken() // }
	}
	if err == nil && len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 {
		err = errMore
	}
	return err
}

// text is the value of a JSON string; "" for what is none.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	b, _ := jsontext.AppendUnquote(nil, v) // its error only says that half a character was replaced
	return string(b)
}

// lenient lets escapes of half a character through, as JSON itself does. Bytes
// that are no UTF-8 were refused by then.
var lenient = jsontext.AllowInvalidUTF8(true)

// era is the protocol version that a message of 2026-07-28 and later carries.
func (m message) era() string {
	var params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	if len(m.Params) == 0 || jsonv2.Unmarshal(m.Params, &params, lenient) != nil {
		return ""
	}
	return params.Meta.Version
}

// isRequest reports whether the agent waits for an answer.
func (m message) isRequest() bool { return m.ID != nil && m.Method != "" }

// as is the message under another id.
func (m message) as(id string) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), strconv.Quote(id)...)
	b = append(b, `,"method":`...)
	b, _ = jsontext.AppendQuote(b, m.Method) // valid UTF-8: it was parsed
	if m.Params != nil {
		b = append(append(b, `,"params":`...), m.Params...)
	}
	return append(b, '}')
}

// rpcError is an error of the protocol, as opposed to one of a tool.
type rpcError struct {
	code    int
	message string
	data    json.RawMessage
}

// answer builds the response to the request with this id; nil is null.
func answer(id jsontext.Value, key string, value []byte) []byte {
	return append(append(start(id, key), value...), '}')
}

// start is what stands before the value in such a response.
func start(id jsontext.Value, key string) []byte {
	if id == nil {
		id = jsontext.Value("null")
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	return append(b, `,"`+key+`":`...)
}

func (e *rpcError) answer(id jsontext.Value) []byte {
	value := fmt.Appendf(nil, `{"code":%d,"message":`, e.code)
	value, _ = jsontext.AppendQuote(value, e.message) // its error only says that invalid UTF-8 was replaced
	if e.data != nil {
		value = append(append(value, `,"data":`...), e.data...)
	}
	return answer(id, "error", append(value, '}'))
}
