package main

import "github.com/spf13/cobra"

func (a *app) deactivateVerb() *cobra.Command {
	var member string
	verb := &cobra.Command{
		Use:   "deactivate ID",
		Short: "Stop a connector for a member and forget its secrets",
		Long: `Stops the member's connector and destroys its configuration and secrets. What the connector kept in its own
directory stays, so that a later activation finds it.

--json: {"id"}.`,
		Example: "  majordomo deactivate notes --member ann",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.client().Deactivate(cmd.Context(), args[0], member); err != nil {
				return err
			}
			return a.print(map[string]string{"id": args[0]}, func() { a.say("deactivated %s", args[0]) })
		},
	}
	memberFlag(verb, &member)
	return verb
}
