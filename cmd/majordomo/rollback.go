package main

import (
	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) rollbackVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "rollback ID",
		Short: "Put the version back that an update replaced",
		Long: `Exchanges the installed package with the one it replaced, which is kept for this, and restarts every running copy.
A second rollback goes forward again. Where nothing is kept it is refused (exit code 4). Like an update it is undone by
itself where a copy that ran before does not start. What connectors keep for their members is never touched. Only an
admin rolls back.

--json: {"id","name","version","version_string","installed_at","digest"}.`,
		Example: "  majordomo rollback notes",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := watched(a, func(show func(api.Progress)) (api.Package, error) {
				return a.client().Rollback(cmd.Context(), args[0], show)
			})
			if err != nil {
				return err
			}
			return a.print(p, func() { a.say("%s is at version %d again", p.ID, p.Version) })
		},
	}
}
