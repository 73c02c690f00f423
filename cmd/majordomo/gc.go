package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"majordomo/deps"
	"majordomo/supervisor/api"
)

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
		Args:    noArguments,
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
