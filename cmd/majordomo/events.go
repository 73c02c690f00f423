package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

func (a *app) eventsVerb() *cobra.Command {
	var follow bool
	verb := &cobra.Command{
		Use:   "events",
		Short: "Show what happened to connectors, and why",
		Long: `Shows the last events: each change of an instance's state with its reason, notices that a person should know, and what
became of changes of the configuration. With -f it goes on until Ctrl-C. The same connector failing for the same cause is
a notice once an hour. A member who is no admin sees only their own. A reader that is too slow misses events, and is told
how many.

--json: one {"number","at","kind","member","connector","from","to","generation","text","stage","cause","next","count"} for each
event; what does not belong to its kind is left out.`,
		Example: "  majordomo events -f\n  majordomo events --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := a.client().Events(cmd.Context(), follow, line(a, func(e api.Event) { a.say("%s", screen.OneLine(sentence(e))) }))
			if follow && errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	verb.Flags().BoolVarP(&follow, "follow", "f", false, "go on as they happen")
	return verb
}

// sentence says an event in one line.
func sentence(e api.Event) string {
	said := []string{e.At.Local().Format(time.DateTime)}
	switch e.Kind {
	case "lost":
		said = append(said, fmt.Sprintf("(%d events were missed)", e.Count))
	case "state":
		said = append(said, e.Member, e.Connector, e.From, "→", e.To)
	case "notice":
		said = append(said, "NOTICE", e.Member, e.Connector)
		if e.To != "" {
			said = append(said, "is in", e.To)
		}
		if e.Count > 0 {
			said = append(said, fmt.Sprintf("(%d times more since the last notice)", e.Count))
		}
	default:
		said = append(said, e.Kind)
	}
	line := strings.Join(said, " ")
	if e.Text != "" {
		line += ": " + e.Text
	}
	if e.Next != "" {
		line += "; next: " + e.Next
	}
	return line
}
