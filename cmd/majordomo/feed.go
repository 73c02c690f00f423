package main

import "github.com/spf13/cobra"

func (a *app) feedVerb() *cobra.Command {
	return ofVerbs(&cobra.Command{
		Use:   "feed",
		Short: "Look at what the feed offers",
		Long: `The feed is the one place connectors come from: an https:// address or a directory, set by feed.url in the
configuration, MAJORDOMO_FEED or "serve --feed". Looking changes nothing.`,
	}, a.feedListVerb(), a.feedShowVerb())
}
