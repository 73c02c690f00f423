package main

import (
	"context"
	"errors"

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
same version, unless --allow-downgrade is given. A release that reaches further than the installed one (another secret, a new
file that runs, another kind or scope, another way to sign in …) is asked about on a terminal, and refused elsewhere and with
--json, unless --accept-wider is given. What is refused has exit code 4 and changes nothing. Only an admin installs.

With --dry-run nothing changes: it says what would be done, which dependencies change, which hosts would be contacted, and
what the release reaches for that the installed one does not. The index, the manifest and the files that name dependencies
are downloaded for that. The exit code is 4 where it would be refused.

--json: {"id","name","version","version_string","installed_at","digest"}; with --dry-run {"id","name","action","installed",
"version","version_string","source","scope","auth","runtime","dependency_files":[…],"dependencies":[{"tool","name","from",
"to","direct"}],"asks":[…],"mounts":[…],"egress","verify","hosts":[{"host","why"}],"network","files":[{"path","size","was","change"}],
"bytes","widens":[{"kind","what"}],"needs_consent","refused","notes":[…]}.`,
		Example: `  majordomo install notes --dry-run
  majordomo install notes`,
		Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Connector = args[0]
			if dry {
				return a.dryRun(cmd.Context(), r)
			}
			p, err := a.bringInAsking(cmd.Context(), r)
			if err != nil {
				return err
			}
			return a.print(p, func() { a.say("installed %s version %d", p.ID, p.Version) })
		},
	}
	riskFlags(verb, &r)
	dryRunFlag(verb, &dry)
	return verb
}

// bringIn installs or updates, and shows how it goes on.
func (a *app) bringIn(ctx context.Context, r api.InstallRequest) (api.Package, error) {
	return watched(a, func(show func(api.Progress)) (api.Package, error) { return a.client().Install(ctx, r, show) })
}

// bringInAsking is bringIn for one connector whose owner may be there to be asked.
func (a *app) bringInAsking(ctx context.Context, r api.InstallRequest) (api.Package, error) {
	p, err := a.bringIn(ctx, r)
	if refusal, ok := errors.AsType[*api.Error](err); !ok || refusal.Kind != api.Wider || !a.canAsk() {
		return p, err
	}
	accepted, err := a.consent(ctx, r)
	if err != nil {
		return api.Package{}, err
	}
	r.Accepted = accepted
	return a.bringIn(ctx, r)
}
