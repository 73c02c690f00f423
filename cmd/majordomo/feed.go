package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"majordomo/configs/manifest"
	"majordomo/supervisor/api"
)

func (a *app) feedVerb() *cobra.Command {
	verb := &cobra.Command{
		Use:   "feed",
		Short: "Look at what the feed offers",
		Long: `The feed is the one place connectors come from: an https:// address or a directory, set by feed.url in the
configuration, MAJORDOMO_FEED or "serve --feed". Looking changes nothing.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return usage("cannot run feed alone: say list or show") },
	}
	verb.AddCommand(a.feedListVerb(), a.feedShowVerb())
	return verb
}

func (a *app) feedListVerb() *cobra.Command {
	var refresh bool
	verb := &cobra.Command{
		Use:   "list",
		Short: "List the connectors on offer",
		Long: `Lists every connector of the feed in the feed's order. One that cannot be read stays in the list and says what is
wrong with it. A listing serves for five minutes, and longer, marked as stale, while the feed cannot be reached; installing
always asks the feed itself.

--json: {"url","base_url","fetched_at","age_ms","signed","stale","reason","connectors":[…],"problems":[{"severity","where","what"}]}, each connector as in "feed show".`,
		Example: "  majordomo feed list --refresh",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			feed, err := a.client().Feed(cmd.Context(), refresh)
			if err != nil {
				return err
			}
			return a.print(feed, func() { a.showFeed(feed) })
		},
	}
	verb.Flags().BoolVar(&refresh, "refresh", false, "ask the feed now, however new the last listing is")
	return verb
}

// signedWord says what stands behind a feed.
func signedWord(signed bool) string {
	if signed {
		return "signed"
	}
	return "unsigned"
}

func (a *app) showFeed(feed api.Feed) {
	a.say("%s: %s", oneLine(feed.URL), signedWord(feed.Signed))
	if feed.Stale {
		a.showStale(feed.AgeMS, feed.Reason)
	}
	var rows [][]string
	for _, c := range feed.Connectors {
		about := c.UserDescription
		if len(c.Problems) > 0 {
			about = "! " + c.Problems[0].String()
		}
		rows = append(rows, []string{c.ID, versionWord(c.Version), installedWord(c), c.Auth.Kind, about})
	}
	a.table("CONNECTOR VERSION INSTALLED SIGN-IN ABOUT", rows)
	for _, p := range feed.Problems {
		a.say("! %s", oneLine(p.String()))
	}
}

func (a *app) showStale(ageMS int64, reason string) {
	age := time.Duration(ageMS) * time.Millisecond
	a.say("! STALE: what follows is %s old: %s", age.Round(time.Second), oneLine(reason))
}

// installedWord is the version on this disk, and whether the feed has a newer one.
func installedWord(o api.Offer) string {
	switch {
	case !o.IsInstalled:
		return ""
	case o.UpdateAvailable:
		return versionWord(o.InstalledVersion) + " (update)"
	}
	return versionWord(o.InstalledVersion)
}

func versionWord(version *int) string {
	if version == nil {
		return "none"
	}
	return strconv.Itoa(*version)
}

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
	a.say("%s: %s", o.ID, oneLine(o.Name))
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
