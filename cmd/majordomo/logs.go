package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

func (a *app) logsVerb() *cobra.Command {
	var member string
	var follow bool
	verb := &cobra.Command{
		Use:   "logs ID",
		Short: "Show what a member's connector wrote to stderr",
		Long: `Shows the last lines the connector wrote to its standard error, with the member's secrets taken out. With -f it goes
on until Ctrl-C.

--json: one {"at","line"} for each line.`,
		Example: "  majordomo logs notes --member ann -f",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := a.client().Logs(cmd.Context(), args[0], member, follow, line(a, func(l api.LogLine) { a.say("%s", screen.Harmless(l.Line)) }))
			if follow && errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	memberFlag(verb, &member)
	verb.Flags().BoolVarP(&follow, "follow", "f", false, "go on as lines come")
	return verb
}
