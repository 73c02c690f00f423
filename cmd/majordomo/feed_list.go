package main

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

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
		Args:    noArguments,
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
	a.say("%s: %s", screen.OneLine(feed.URL), signedWord(feed.Signed))
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
		a.say("! %s", screen.OneLine(p.String()))
	}
}

func (a *app) showStale(ageMS int64, reason string) {
	age := time.Duration(ageMS) * time.Millisecond
	a.say("! STALE: what follows is %s old: %s", age.Round(time.Second), screen.OneLine(reason))
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
