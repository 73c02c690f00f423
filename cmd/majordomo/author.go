package main

import (
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"majordomo/install/author"
)

func (a *app) authorVerb() *cobra.Command {
	verb := &cobra.Command{
		Use:   "author",
		Short: "Tools for people who write connectors",
		Long:  "These verbs work on a feed's directory and need no daemon.",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return usage("cannot run author alone: say lint or compile") },
	}
	verb.AddCommand(a.authorLintVerb(), a.authorCompileVerb())
	return verb
}

func (a *app) authorCompileVerb() *cobra.Command {
	var verify bool
	verb := &cobra.Command{
		Use:   "compile FEEDDIR",
		Short: "Write connectors.json from what is kept by hand",
		Long: `Reads index.json, each folder's fragment.json and the files beside it, and writes connectors.json with the digest and
size of every file. The same input gives the same bytes. It is an error when fragment.json and connector.json contradict each
other. With --verify nothing is written, and a connectors.json that is stale is an error that says what differs.

--json: {"file"}.`,
		Example: `  majordomo author compile ./feed
  majordomo author compile --verify ./feed`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := filepath.Join(args[0], "connectors.json")
			if verify {
				if err := author.Verify(args[0]); err != nil {
					return err
				}
				return a.print(map[string]string{"file": file}, func() { a.say("%s is up to date", file) })
			}
			index, err := author.Compile(args[0])
			if err != nil {
				return err
			}
			if err := renameio.WriteFile(file, index, 0o644); err != nil {
				return err
			}
			return a.print(map[string]string{"file": file}, func() { a.say("wrote %s", file) })
		},
	}
	verb.Flags().BoolVar(&verify, "verify", false, "only check that connectors.json is up to date")
	return verb
}
