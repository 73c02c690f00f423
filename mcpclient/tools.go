package mcpclient

import (
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
	names    map[string]bool
	bytes    int
}

// list asks for all pages of tools.
func list(ctx context.Context, c *Conn) (*listing, error) {
	l := &listing{names: map[string]bool{}}
	seen := map[string]bool{"": true}
	params := []byte("{}")
	for range maxPages {
		raw, err := c.request(ctx, "tools/list", params)
		if rpc := (*RPCError)(nil); errors.As(err, &rpc) && rpc.Code == methodNotFound {
			return l, nil // a server without tools need not know the method
		}
		if err != nil {
			return nil, fmt.Errorf("cannot list the tools: %w", err)
		}
		cursor, err := l.page(raw)
		if err != nil {
			return nil, fmt.Errorf("cannot list the tools: %w", err)
		}
		switch {
		case cursor == "":
			return l, nil
		case seen[cursor]:
			l.problem("", "the pages of the list go in a circle: the list ends at the first cursor that came again")
			return l, nil
		case len(l.tools) >= maxTools || l.bytes >= maxListBytes:
			l.problem("", fmt.Sprintf("the list is longer than %d tools or %d MiB; the rest is left out", maxTools, maxListBytes>>20))
			return l, nil
		}
		seen[cursor] = true
		params = append(appendString([]byte(`{"cursor":`), cursor), '}')
	}
	l.problem("", fmt.Sprintf("the list has more than %d pages; the rest is left out", maxPages))
	return l, nil
}

// page adds the tools of one page and returns the cursor of the next.
func (l *listing) page(raw json.RawMessage) (cursor string, err error) {
	var page struct {
		Tools      []jsontext.Value `json:"tools"` // null is an empty list
		NextCursor jsontext.Value   `json:"nextCursor"`
	}
	if err := unmarshal(raw, &page); err != nil {
		return "", fmt.Errorf("the answer is not an object with a list of tools: %w", err)
	}
	for _, tool := range page.Tools {
		if l.bytes += len(tool); len(l.tools) >= maxTools || l.bytes >= maxListBytes {
			break
		}
		l.add(json.RawMessage(tool))
	}
	return text(page.NextCursor), nil
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
	switch err := CheckSchema(t.InputSchema); {
	case t.Name == "":
		l.problem("", "an entry of the list has no name: "+cut(string(raw), noiseLine))
	case l.names[t.Name]:
		l.problem(t.Name, "another tool has the same name")
	case err != nil:
		l.problem(t.Name, "its input schema "+err.Error())
	default:
		l.names[t.Name] = true
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
