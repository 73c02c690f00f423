package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/configs/humanize"
	"majordomo/supervisor/api"
)

func (a *app) callVerb() *cobra.Command {
	var member string
	verb := &cobra.Command{
		Use:   "call TOOL [JSON|@FILE|-]",
		Short: "Call one tool",
		Long: `Calls a tool of a member and prints its answer. Arguments are one JSON object: on the command line, in a file, or on
standard input with -. Without arguments the tool gets {}.

The exit code is 1 when the tool says that it failed; its answer is printed all the same.

--json: the MCP CallToolResult, byte for byte as the connector wrote it.`,
		Example: `  majordomo call mcp__notes__add_note '{"title":"milk","text":"two litres"}' --member ann
  majordomo call mcp__notes__add_note @note.json
  echo '{}' | majordomo call mcp__notes__list_notes - --json`,
		Args: toolAndArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments, err := a.arguments(args[1:])
			if err != nil {
				return err
			}
			result, err := a.client().Call(cmd.Context(), api.CallRequest{Member: member, Tool: args[0], Arguments: arguments})
			if err != nil {
				return err
			}
			return a.showResult(result)
		},
	}
	memberFlag(verb, &member)
	return verb
}

func toolAndArguments(verb *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return oneArgument(verb, args)
	case 1, 2:
		return nil
	}
	return fmt.Errorf("it takes TOOL and its arguments as one JSON object, and %d were given", len(args))
}

const maxArguments = 32 << 20

// arguments reads the JSON object a call gets. Numbers and key order stay as they were written.
func (a *app) arguments(given []string) (json.RawMessage, error) {
	if len(given) == 0 {
		return json.RawMessage("{}"), nil
	}
	text, err := []byte(given[0]), error(nil)
	if given[0] == "-" {
		text, err = readAtMost(a.in, maxArguments)
	} else if file, ok := strings.CutPrefix(given[0], "@"); ok {
		if text, err = os.ReadFile(file); err != nil {
			return nil, usage("cannot read the arguments from %s: %w", file, humanize.Error(err))
		}
	}
	if err != nil {
		return nil, usage("cannot read the arguments: %w", err)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return nil, usage("cannot use the arguments: they are not one JSON object (%v)", reasonOr(err, "it is null"))
	}
	return text, nil
}

func reasonOr(err error, otherwise string) string {
	if err == nil {
		return otherwise
	}
	return err.Error()
}

// result is what a person wants to see of a CallToolResult.
type result struct {
	IsError           bool            `json:"isError"`
	StructuredContent json.RawMessage `json:"structuredContent"`
	Content           []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		MIMEType string `json:"mimeType"`
		Data     string `json:"data"`
		URI      string `json:"uri"`
		Resource struct{ URI, Text string }
	} `json:"content"`
}

func (a *app) showResult(raw json.RawMessage) error {
	var r result
	if err := json.Unmarshal(raw, &r); err != nil && !a.json {
		return errors.New("cannot show the tool's answer: it is not of the form that MCP has; with --json it is printed as it came")
	}
	if a.json {
		a.say("%s", raw)
	} else {
		a.showContent(r)
	}
	if r.IsError {
		return errSaid
	}
	return nil
}

func (a *app) showContent(r result) {
	for _, c := range r.Content {
		switch c.Type {
		case "text":
			a.say("%s", screen.Harmless(c.Text))
		case "image", "audio":
			a.say("[%s %s, %d bytes]", c.Type, screen.OneLine(c.MIMEType), base64.StdEncoding.DecodedLen(len(c.Data)))
		case "resource":
			a.say("[resource %s]\n%s", screen.OneLine(c.Resource.URI), screen.Harmless(c.Resource.Text))
		default:
			a.say("[%s %s]", screen.OneLine(c.Type), screen.OneLine(c.URI))
		}
	}
	if len(r.Content) == 0 && len(r.StructuredContent) > 0 {
		a.say("%s", screen.Harmless(string(r.StructuredContent)))
	}
}
