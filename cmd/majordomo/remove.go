package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"majordomo/deps"
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

func (a *app) gcVerb() *cobra.Command {
	var dry bool
	verb := &cobra.Command{
		Use:   "gc",
		Short: "Clear away what nothing needs any more",
		Long: `Removes dependency trees that no installed connector leads to, nor one kept for rollback, and nothing runs from;
the downloads of connectors that are not installed; and folders among the packages that are none. Nobody's data is
touched. With --dry-run it only says what that would be. Only an admin does this.

--json: {"unused":[{"kind","connector","path","bytes"}],"bytes"}.`,
		Example: "  majordomo gc --dry-run",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := a.client().Collect(cmd.Context(), dry)
			if err != nil {
				return err
			}
			return a.print(found, func() { a.showCollected(found, dry) })
		},
	}
	dryRunFlag(verb, &dry)
	return verb
}

func (a *app) showCollected(found api.Collected, dry bool) {
	a.table("", rows(found.Unused))
	word := "freed"
	if dry {
		word = "would free"
	}
	a.say("%s %d bytes in %d places", word, found.Bytes, len(found.Unused))
}

func rows(unused []deps.Leftover) (rows [][]string) {
	for _, l := range unused {
		rows = append(rows, []string{l.Kind, l.Connector, fmt.Sprintf("%d bytes", l.Bytes), l.Path})
	}
	return rows
}
