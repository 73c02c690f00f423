package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	var bare, faults []string
	for _, tool := range t.tools {
		if tool.Title == "" && tool.Annotations.Title == "" && t.release.Titles[tool.Name] == "" && !slices.Contains(hidden, tool.Name) {
			bare = append(bare, tool.Name)
		}
	}
	if len(bare) > 0 {
		faults = append(faults, "no title: "+strings.Join(bare, ", "))
	}
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(t.release.Titles)) {
		if !t.has(name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		faults = append(faults, "tools[] of connector.json names tools that there are not: "+strings.Join(unknown, ", "))
	}
	if len(faults) > 0 {
		return "", warn("%s", strings.Join(faults, "; "))
	}
	return "", nil
}

func (t *trial) has(name string) bool {
	return slices.ContainsFunc(t.tools, func(tool tool) bool { return tool.Name == name })
}
