package main

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) listVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the installed connectors",
		Long: `Lists what is installed on this machine. It needs no feed.

--json: array of {"id","name","version","version_string","installed_at","digest"}.`,
		Example: "  majordomo list",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			packages, err := a.client().Packages(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(packages, func() { a.showPackages(packages) })
		},
	}
}

func (a *app) showPackages(packages []api.Package) {
	var rows [][]string
	for _, p := range packages {
		rows = append(rows, []string{p.ID, strconv.Itoa(p.Version), p.InstalledAt.Local().Format(time.DateTime), p.Name})
	}
	a.list("CONNECTOR VERSION INSTALLED NAME", rows, "nothing is installed yet; what there is: majordomo feed list")
}
