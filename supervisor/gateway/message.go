package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"
)

// message is one JSON-RPC message of an agent, its parts as they were written.
type message struct {
	Version jsontext.Value `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params"`
	Result  jsontext.Value `json:"result"`
	Error   jsontext.Value `json:"error"`
}

// parse reads a message. The error is what to answer.
func parse(raw []byte) (message, *rpcError) {
	var m message
	err := jsonv2.Unmarshal(raw, &m, lenient)
	_, notJSON := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !utf8.Valid(raw):
		return m, &rpcError{code: mcp.PARSE_ERROR, message: "not valid UTF-8"}
	case notJSON:
		return m, &rpcError{code: mcp.PARSE_ERROR, message: "not valid JSON: " + err.Error()}
	case err != nil:
		return m, &rpcError{code: mcp.INVALID_REQUEST, message: "not a JSON-RPC message: " + err.Error()}
	case string(m.Version) != `"2.0"`:
		return m, &rpcError{code: mcp.INVALID_REQUEST, message: `not a JSON-RPC message: jsonrpc must be "2.0"`}
	}
	if k := m.ID.Kind(); m.ID != nil && k != '"' && k != '0' {
		m.ID = nil
		return m, &rpcError{code: mcp.INVALID_REQUEST, message: "the id must be a string or a number"}
	}
	return m, nil
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
	if id == nil {
		id = jsontext.Value("null")
	}
	b := make([]byte, 0, len(value)+len(id)+64)
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	b = append(append(b, `,"`+key+`":`...), value...)
	return append(b, '}')
}

func (e *rpcError) answer(id jsontext.Value) []byte {
	value := fmt.Appendf(nil, `{"code":%d,"message":`, e.code)
	value, _ = jsontext.AppendQuote(value, e.message) // its error only says that invalid UTF-8 was replaced
	if e.data != nil {
		value = append(append(value, `,"data":`...), e.data...)
	}
	return answer(id, "error", append(value, '}'))
}
