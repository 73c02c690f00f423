package main

import (
	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) removeVerb() *cobra.Command {
	var purge bool
	verb := &cobra.Command{
		Use:   "remove ID",
		Short: "Take an installed connector away",
		Long: `Stops the connector for every member, forgets their activations of it and removes its files, the version kept for
rollback, and the dependencies and downloads that only it needed. What it kept in a member's home stays, and it is said
where that is; --purge removes it too, with the logs, also when the connector itself is gone already. Only an admin removes.

--json: {"id","kept":[{"member","path"}],"purged":[…],"freed":[{"kind","connector","path","bytes"}]}.`,
		Example: `  majordomo remove notes
  majordomo remove notes --purge`,
		Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			gone, err := a.client().Remove(cmd.Context(), args[0], purge)
			if err != nil {
				return err
			}
			return a.print(gone, func() { a.showRemoved(gone) })
		},
	}
	verb.Flags().BoolVar(&purge, "purge", false, "also remove what it kept for its members")
	return verb
}

func (a *app) showRemoved(gone api.Removed) {
	a.say("removed %s", gone.ID)
	for _, d := range gone.Kept {
		a.say("kept what it stored for %s: %s", d.Member, d.Path)
	}
	for _, d := range gone.Purged {
		a.say("removed what it stored for %s: %s", d.Member, d.Path)
	}
}
