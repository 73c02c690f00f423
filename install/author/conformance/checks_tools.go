package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxPages bounds a list of tools that never ends.
const maxPages = 100

// checkToolsList: an object with tools, each with a name, a description and the
// schema of an object (guide §2).
func checkToolsList(t *trial) (string, error) {
	var faults, seen []string
	cursor := ""
	for page := 0; ; page++ {
		params := `{}`
		if cursor != "" {
			text, _ := json.Marshal(map[string]string{"cursor": cursor}) // a string
			params = string(text)
		}
		o, err := t.result("tools/list", params)
		if err != nil {
			return "", err
		}
		faults = append(faults, t.takeTools(o["tools"])...)
		var next string
		if raw := o["nextCursor"]; raw != nil && string(raw) != "null" && json.Unmarshal(raw, &next) != nil {
			return "", fmt.Errorf("nextCursor is %s, want a text", clip(raw))
		}
		if next == "" {
			break
		}
		if slices.Contains(seen, next) || page == maxPages {
			return "", fmt.Errorf("the list has no end: page %d has the same cursor as one before, or is one too many", page+1)
		}
		seen, cursor = append(seen, next), next
	}
	for i, one := range t.tools {
		if slices.ContainsFunc(t.tools[:i], func(other tool) bool { return other.Name == one.Name }) {
			faults = append(faults, fmt.Sprintf("%s is listed twice", one.Name))
		}
	}
	if len(faults) > 0 {
		return "", errors.New(strings.Join(faults, "; "))
	}
	return fmt.Sprintf("%d tools", len(t.tools)), nil
}

// takeTools reads one page and keeps what can be used of it.
func (t *trial) takeTools(raw json.RawMessage) (faults []string) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return []string{"tools is " + kind(raw) + ", want a list"}
	}
	for i, item := range items {
		var parts struct{ Name, Description, InputSchema json.RawMessage }
		var one tool
		name := fmt.Sprintf("tools[%d]", i)
		if json.Unmarshal(item, &parts) != nil {
			faults = append(faults, name+" is no object")
			continue
		}
		if json.Unmarshal(parts.Name, &one.Name) != nil || one.Name == "" {
			faults = append(faults, name+" has no name")
			continue
		}
		name = one.Name
		if json.Unmarshal(parts.Description, &one.Description) != nil || one.Description == "" {
			faults = append(faults, name+" has no description")
		}
		var schema struct{ Type string }
		if json.Unmarshal(parts.InputSchema, &schema) != nil || schema.Type != "object" {
			faults = append(faults, name+` has no inputSchema of the type "object"`)
		} else if err := json.Unmarshal(item, &one); err != nil {
			faults = append(faults, fmt.Sprintf("%s cannot be read: %v", name, err))
		}
		t.tools = append(t.tools, one)
	}
	return faults
}

// hidden are the tools that no person and no model sees (guide §4d).
var hidden = []string{"login_status", "logout"}

// checkToolTitles: a title for people, from the server or from the manifest (guide §2a).
func checkToolTitles(t *trial) (string, error) {
	var bare []string
	for _, tool := range t.tools {
		if tool.Title == "" && tool.Annotations.Title == "" && t.release.Titles[tool.Name] == "" && !slices.Contains(hidden, tool.Name) {
			bare = append(bare, tool.Name)
		}
	}
	if len(bare) > 0 {
		return "", warn("no title: %s", strings.Join(bare, ", "))
	}
	return "", nil
}

// outcome is the result of a tool.
type outcome struct {
	Content []struct{ Type, Text string }
	IsError bool
}

// call calls a tool. An answer without the shape of a result is an error.
func (t *trial) call(name, arguments string) (outcome, reply, error) {
	text, _ := json.Marshal(name) // a string
	r, err := t.ask("tools/call", fmt.Sprintf(`{"name":%s,"arguments":%s}`, text, arguments))
	if err != nil || r.Error != nil {
		return outcome{}, r, err
	}
	var out outcome
	if err := json.Unmarshal(r.Result, &out); err != nil || out.Content == nil {
		return outcome{}, r, fmt.Errorf("the result of %s is %s, want {content: […]}", name, clip(r.Result))
	}
	return out, r, nil
}

// checkUnknownTool: it fails, as an error or as a result that says so.
func checkUnknownTool(t *trial) (string, error) {
	out, r, err := t.call("no_such_tool", `{}`)
	if err != nil {
		return "", err
	}
	if r.Error == nil && !out.IsError {
		return "", fmt.Errorf("a tool that does not exist was called with success: %s", clip(r.Result))
	}
	if r.Error != nil && codeOf(r.Error) == 0 {
		return "", warn("the error is %s, want an object with a code and a message", clip(r.Error))
	}
	if r.Error != nil {
		return fmt.Sprintf("error %d", codeOf(r.Error)), nil
	}
	return "a result with isError", nil
}

// checkToolErrors calls a tool without what it requires. A model can read and act on
// a result with isError; it cannot tell a failure that looks like data (guide §2).
func checkToolErrors(t *trial) (string, error) {
	i := slices.IndexFunc(t.tools, func(tool tool) bool { return len(tool.InputSchema.Required) > 0 && !slices.Contains(hidden, tool.Name) })
	if i < 0 {
		return "no tool has required arguments", nil
	}
	name := t.tools[i].Name
	out, r, err := t.call(name, `{}`)
	switch {
	case err != nil:
		return "", err
	case r.Error != nil && codeOf(r.Error) != -32602:
		return "", warn("%s without its arguments was answered with the error %s: a model cannot read it, want a result with isError", name, clip(r.Error))
	case r.Error == nil && !out.IsError:
		return "", fmt.Errorf("%s without its arguments looks like success: %s; want isError", name, clip(r.Result))
	}
	return name + " without its arguments says that it failed", nil
}
