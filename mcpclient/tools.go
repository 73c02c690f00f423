package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"
)

// What one listing may hold. A connector beyond it keeps what came before.
const (
	maxPages     = 100
	maxTools     = 2000
	maxListBytes = 16 << 20
)

// Tool is one tool as the connector describes it.
type Tool struct {
	Name, Title, Description string
	InputSchema              json.RawMessage // checked by CheckSchema; {"type":"object"} when there was none
	Raw                      json.RawMessage // the whole description, untouched
}

// Problem is a tool that was left out of the list, or with an empty Tool
// something about the list as a whole.
type Problem struct{ Tool, What string }

// listing is one complete list of tools. It is never changed.
type listing struct {
	tools    []Tool
	problems []Problem
	byName   map[string]json.RawMessage // the same tools
	bytes    int
	full     bool // something was left out, because it is too much
}

// list asks for all pages of tools. A connector that does not say it has any
// need not know how to list them.
func (s *Session) list(ctx context.Context) (*listing, error) {
	l := &listing{byName: map[string]json.RawMessage{}}
	seen := map[string]bool{}
	params := []byte("{}")
	for range maxPages {
		raw, err := s.conn.request(ctx, "tools/list", params)
		if rpc, ok := errors.AsType[*RPCError](err); ok && (rpc.Code == methodNotFound || s.server.Capabilities.Tools == nil) {
			return l, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot list the tools: %w", err)
		}
		cursor, err := l.page(raw)
		if err != nil {
			return nil, fmt.Errorf("cannot list the tools: %w", err)
		}
		if cursor == "" || l.ends(seen, cursor) {
			return l, nil
		}
		seen[cursor] = true
		params = append(append([]byte(`{"cursor":`), cursor...), '}')
	}
	l.problem("", fmt.Sprintf("the list has more than %d pages; the rest is left out", maxPages))
	return l, nil
}

// ends reports whether there is no use in asking for the page at cursor, and
// notes why.
func (l *listing) ends(seen map[string]bool, cursor string) bool {
	switch {
	case l.full:
		l.problem("", fmt.Sprintf("the list is longer than %d tools or %d MiB; the rest is left out", maxTools, maxListBytes>>20))
	case seen[cursor]:
		l.problem("", "the pages of the list go in a circle: the list ends at the first cursor that came again")
	default:
		return false
	}
	return true
}

// page adds the tools of one page and returns the cursor of the next, as the
// JSON value it is; "" for the last page.
func (l *listing) page(raw json.RawMessage) (cursor string, err error) {
	var page struct {
		Tools      []jsontext.Value `json:"tools"` // null is an empty list
		NextCursor jsontext.Value   `json:"nextCursor"`
	}
	if err := unmarshal(raw, &page); err != nil {
		return "", fmt.Errorf("the answer is not an object with a list of tools: %w", err)
	}
	l.bytes += len(page.NextCursor)
	for _, tool := range page.Tools {
		if l.bytes += len(tool); len(l.tools) >= maxTools || l.bytes >= maxListBytes {
			l.full = true
			return `""`, nil
		}
		l.add(json.RawMessage(tool))
	}
	switch string(page.NextCursor) {
	case "", "null", `""`, "false", "0":
		return "", nil
	}
	l.full = l.bytes >= maxListBytes
	next, err := appendCompact(nil, json.RawMessage(page.NextCursor))
	return string(next), err
}

// add takes one tool into the list, or says why not.
func (l *listing) add(raw json.RawMessage) {
	var wire struct {
		Name        jsontext.Value `json:"name"`
		Title       jsontext.Value `json:"title"`
		Description jsontext.Value `json:"description"`
		InputSchema jsontext.Value `json:"inputSchema"`
		Annotations jsontext.Value `json:"annotations"`
	}
	if err := unmarshal(raw, &wire); err != nil {
		l.problem("", "an entry of the list is not a tool: "+cut(string(raw), noiseLine))
		return
	}
	t := Tool{
		Name: text(wire.Name), Title: text(wire.Title), Description: text(wire.Description),
		InputSchema: json.RawMessage(wire.InputSchema), Raw: raw,
	}
	if t.Title == "" {
		t.Title = annotatedTitle(wire.Annotations)
	}
	if t.InputSchema == nil || string(t.InputSchema) == "null" {
		t.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	before, again := l.byName[t.Name]
	switch err := CheckSchema(t.InputSchema); {
	case t.Name == "":
		l.problem("", "an entry of the list has no name: "+cut(string(raw), noiseLine))
	case again && bytes.Equal(before, raw): // the pages have shifted meanwhile
	case again:
		l.problem(t.Name, "another tool has the same name")
	case err != nil:
		l.problem(t.Name, "its input schema "+err.Error())
	default:
		l.byName[t.Name] = raw
		l.tools = append(l.tools, t)
	}
}

func (l *listing) problem(tool, what string) {
	l.problems = append(l.problems, Problem{Tool: tool, What: what})
}

func annotatedTitle(annotations jsontext.Value) string {
	var wire struct {
		Title jsontext.Value `json:"title"`
	}
	if unmarshal(annotations, &wire) != nil {
		return ""
	}
	return text(wire.Title)
}

// text is the value of a JSON string, and "" for everything else.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	b, _ := jsontext.AppendUnquote(nil, v) // its error only says that a lone surrogate was replaced
	return string(b)
}

// unmarshal decodes what a connector sent: names are case-sensitive, repeated
// ones and lone surrogates are tolerated.
func unmarshal(raw []byte, v any) error {
	return jsonv2.Unmarshal(raw, v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
