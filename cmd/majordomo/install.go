package main

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) installVerb() *cobra.Command {
	var r api.InstallRequest
	var dry bool
	verb := &cobra.Command{
		Use:   "install ID",
		Short: "Download, verify and install a connector",
		Long: `Fetches a connector from the feed and puts it in place of what is installed, all of it or nothing. Every file must
have the digest the feed lists, and the version may not be lower than the installed one, nor the files others under the
same version, unless --allow-downgrade is given; anything else is refused (exit code 4) and changes nothing. Only an admin
installs.

With --dry-run nothing is downloaded: it says what would be done, and what the release reaches for that the installed one
does not. The exit code is 4 where it would be refused.

--json: {"id","name","version","version_string","installed_at","digest"}; with --dry-run {"id","name","action","installed",
"version","version_string","source","scope","auth","runtime","dependencies":[…],"asks":[…],"mounts":[…],"egress","verify",
"files":[{"path","size","change"}],"bytes","widens":[{"kind","what"}],"refused"}.`,
		Example: `  majordomo install notes --dry-run
  majordomo install notes`,
		Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Connector = args[0]
			if dry {
				return a.dryRun(cmd.Context(), r)
			}
			p, err := a.bringIn(cmd.Context(), r)
			if err != nil {
				return err
			}
			return a.print(p, func() { a.say("installed %s version %d", p.ID, p.Version) })
		},
	}
	downgradeFlag(verb, &r.AllowDowngrade)
	dryRunFlag(verb, &dry)
	return verb
}

// bringIn installs or updates, and shows how it goes on.
func (a *app) bringIn(ctx context.Context, r api.InstallRequest) (api.Package, error) {
	return watched(a, func(show func(api.Progress)) (api.Package, error) { return a.client().Install(ctx, r, show) })
}

func (a *app) listVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the installed connectors",
		Long: `Lists what is installed on this machine. It needs no feed.

--json: array of {"id","name","version","version_string","installed_at","digest"}.`,
		Example: "  majordomo list",
		Args:    cobra.NoArgs,
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
	a.table("CONNECTOR VERSION INSTALLED NAME", rows)
}
