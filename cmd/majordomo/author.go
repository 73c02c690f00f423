package main

import "github.com/spf13/cobra"

func (a *app) authorVerb() *cobra.Command {
	return ofVerbs(&cobra.Command{
		Use:   "author",
		Short: "Tools for people who write connectors",
		Long:  "These verbs work on a feed's directory and need no daemon.",
	}, a.authorLintVerb(), a.authorTestVerb(), a.authorCompileVerb())
}
