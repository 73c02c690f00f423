package main

import "github.com/spf13/cobra"

func (a *app) authorVerb() *cobra.Command {
	verb := &cobra.Command{
		Use:   "author",
		Short: "Tools for people who write connectors",
		Long:  "These verbs work on a feed's directory and need no daemon.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("cannot run author alone: say lint, test or compile")
		},
	}
	verb.AddCommand(a.authorLintVerb(), a.authorTestVerb(), a.authorCompileVerb())
	return verb
}
