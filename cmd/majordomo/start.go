package main

import (
	"context"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) startVerb() *cobra.Command {
	return a.runVerb("start", "started", (*api.Client).Start, "Start a member's connector that was stopped, or that failed",
		`Starts the connector and waits until its tools are listed. One that runs is left alone. It is started again with the
daemon, until somebody stops it.`)
}

func (a *app) runVerb(name, done string, do func(c *api.Client, ctx context.Context, connector, member string) error, short, long string) *cobra.Command {
	var member string
	verb := &cobra.Command{
		Use:     name + " ID",
		Short:   short,
		Long:    long + "\n\n--json: {\"id\"}.",
		Example: "  majordomo " + name + " notes --member ann",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := do(a.client(), cmd.Context(), args[0], member); err != nil {
				return err
			}
			return a.print(map[string]string{"id": args[0]}, func() { a.say("%s %s", done, args[0]) })
		},
	}
	memberFlag(verb, &member)
	return verb
}
