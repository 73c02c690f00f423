package conformance

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// outcome is the result of a tool.
type outcome struct {
	Content []struct {
		Type string
		Text *string
	}
	IsError bool
}

// text is the first one of the content.
func (o outcome) text() string {
	for _, c := range o.Content {
		if c.Text != nil {
			return *c.Text
		}
	}
	return ""
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
	for i, c := range out.Content {
		if c.Type == "" {
			return outcome{}, r, fmt.Errorf("in the result of %s content[%d] has no type", name, i)
		}
		if c.Type == "text" && c.Text == nil {
			return outcome{}, r, fmt.Errorf("in the result of %s content[%d] is a text without text", name, i)
		}
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

// checkToolErrors calls every tool that requires arguments without any. A model can
// read and act on a result with isError; it cannot tell a failure that looks like data
// (guide §2). A tool that requires none is not called: such a call would be valid, and
// only whoever wrote it knows what it does.
func checkToolErrors(t *trial) (string, error) {
	called := 0
	var faults []error
	for _, tool := range t.tools {
		if len(tool.InputSchema.Required) == 0 || slices.Contains(hidden, tool.Name) {
			continue
		}
		called++
		fault := t.callWithout(tool.Name)
		faults = append(faults, fault)
		if _, gone := errors.AsType[*errGone](fault); gone {
			break
		}
	}
	if called == 0 {
		return "no tool has required arguments", nil
	}
	return fmt.Sprintf("%d of %d tools, without the arguments they require, say that they failed", called, len(t.tools)), worst(faults)
}

func (t *trial) callWithout(name string) error {
	out, r, err := t.call(name, `{}`)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case r.Error != nil && codeOf(r.Error) != -32602:
		return warn("%s without its arguments was answered with the error %s: a model cannot read it, want a result with isError", name, clip(r.Error))
	case r.Error == nil && !out.IsError:
		return fmt.Errorf("%s without its arguments looks like success: %s; want isError", name, clip(r.Result))
	}
	return nil
}

// checkCalls makes the calls that were asked for.
func checkCalls(t *trial) (string, error) {
	for _, c := range t.o.Call {
		if !t.has(c.Tool) {
			var names []string
			for _, tool := range t.tools {
				names = append(names, tool.Name)
			}
			return "", fmt.Errorf("there is no tool %s, only: %s", c.Tool, strings.Join(names, ", "))
		}
		out, r, err := t.call(c.Tool, cmp.Or(string(c.Arguments), `{}`))
		switch {
		case err != nil:
			return "", err
		case r.Error != nil:
			return "", fmt.Errorf("%s was answered with the error %s", c.Tool, clip(r.Error))
		case out.IsError:
			return "", fmt.Errorf("%s failed: %s", c.Tool, out.text())
		}
	}
	return fmt.Sprintf("%d made, with success", len(t.o.Call)), nil
}
