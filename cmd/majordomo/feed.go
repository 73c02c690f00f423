package main

import "github.com/spf13/cobra"

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
