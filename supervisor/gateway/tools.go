package gateway

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mark3labs/mcp-go/mcp"

	"majordomo/supervisor"
)

// list answers tools/list with all tools on one page: many agents read no more.
func (m *member) list(ctx context.Context, msg message) []byte {
	tools, err := m.door.Tools(ctx, m.name)
	if err != nil {
		return (&rpcError{code: mcp.INTERNAL_ERROR, message: err.Error()}).answer(msg.ID)
	}
	result := []byte(`{"tools":[`)
	for i, t := range tools {
		if i > 0 {
			result = append(result, ',')
		}
		result = appendTool(result, t)
	}
	return answer(msg.ID, "result", append(result, "]}"...))
}

// appendTool appends a tool as its connector described it, under our name and
// title. Every other member keeps its bytes.
func appendTool(b []byte, t supervisor.Tool) []byte {
	b = append(b, `{"name":`...)
	b, _ = jsontext.AppendQuote(b, t.Name) // the error of AppendQuote only says that invalid UTF-8 was replaced
	if t.Title != "" {
		b = append(b, `,"title":`...)
		b, _ = jsontext.AppendQuote(b, t.Title)
	}
	b = append(append(b, `,"inputSchema":`...), t.InputSchema...)
	return append(appendRest(b, t.Raw), '}')
}

// appendRest appends the members of a description that are not ours to say.
func appendRest(b []byte, raw json.RawMessage) []byte {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), lenient)
	_, err := dec.ReadToken() // {
	for err == nil && dec.PeekKind() == '"' {
		name, _ := dec.ReadValue()
		name = name.Clone()
		var value jsontext.Value
		if value, err = dec.ReadValue(); err != nil {
			break
		}
		switch string(name) {
		case `"name"`, `"title"`, `"inputSchema"`:
		default:
			b = append(append(append(append(b, ','), name...), ':'), value...)
		}
	}
	return b
}
