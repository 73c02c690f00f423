package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/configs/manifest"
	"majordomo/supervisor/api"
)

func (a *app) feedShowVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one connector on offer in full",
		Long: `Shows what a connector says of itself: what it runs, which values its form asks for, its files and their digests,
and what is wrong with it. While the feed cannot be reached the last listing serves, marked as stale, as in "feed list".

--json: the release, with "id", "version", "source", "scope", "transport", "command", "args", "auth", "env", "files",
"problems", "file_count", "has_icon", "is_installed", "installed_version" (null for none, as "version" where none is declared),
"update_available", "stale", "age_ms" and "reason" among its fields.`,
		Example: "  majordomo feed show notes",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			offer, err := a.client().Release(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.print(offer, func() {
				if offer.Stale {
					a.showStale(offer.AgeMS, offer.Reason)
				}
				a.showOffer(offer.Offer)
			})
		},
	}
}

func (a *app) showOffer(o api.Offer) {
	command := strings.Join(append([]string{o.Command}, o.Args...), " ")
	rows := [][]string{
		{"version", fmt.Sprintf("%s (%s)", versionWord(o.Version), o.VersionString)},
		{"installed", installedWord(o)},
		{"about", o.UserDescription},
		{"homepage", o.Homepage},
		{"runs", command},
		{"kind", o.Source + ", " + o.Scope + ", " + o.Transport},
		{"sign-in", o.Auth.Kind},
		{"sees", strings.Join(o.Mounts, ", ")},
	}
	rows = append(rows, asks(o.Env)...)
	for _, f := range o.Files {
		rows = append(rows, []string{"file", fmt.Sprintf("%s %d bytes %s", f.Path, f.Size, f.SHA256)})
	}
	for _, p := range o.Problems {
		rows = append(rows, []string{p.Severity, p.String()})
	}
	a.say("%s: %s", o.ID, screen.OneLine(o.Name))
	a.table("", rows)
}

// asks are the rows of a form.
func asks(form []manifest.Env) (rows [][]string) {
	for _, e := range form {
		kind := "optional"
		if e.Required {
			kind = "required"
		}
		if e.Secret {
			kind += ", secret"
		}
		rows = append(rows, []string{"asks", e.Name + " (" + kind + ") " + e.Description})
	}
	return rows
}
