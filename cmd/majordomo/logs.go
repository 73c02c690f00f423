package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

func (a *app) logsVerb() *cobra.Command {
	var r api.LogsRequest
	verb := &cobra.Command{
		Use:   "logs ID",
		Short: "Show what a member's connector wrote to stderr",
		Long: `Shows the last lines the connector wrote to its standard error, each with its time, and with the member's secrets taken out. With -f it goes
on until Ctrl-C.

--json: one {"at","line"} for each line.`,
		Example: "  majordomo logs notes --member ann -f",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Connector = args[0]
			err := a.client().Logs(cmd.Context(), r, line(a, func(l api.LogLine) { a.say("%s  %s", l.At.Local().Format(time.DateTime), screen.Harmless(l.Line)) }))
			if r.Follow && errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		},
	}
	memberFlag(verb, &r.Member)
	verb.Flags().BoolVarP(&r.Follow, "follow", "f", false, "go on as lines come")
	return verb
}
