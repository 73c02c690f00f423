package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) completionVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print what makes a shell complete verbs and flags",
		Long: `Prints a script for bash, zsh or fish. With it the Tab key completes verbs and flags.

  bash  eval "$(majordomo completion bash)"      in ~/.bashrc, with the package bash-completion installed
  zsh   source <(majordomo completion zsh)       in ~/.zshrc, after compinit
  fish  majordomo completion fish | source       in ~/.config/fish/config.fish`,
		Example: "  majordomo completion bash >/etc/bash_completion.d/majordomo",
		Args:    oneArgument, ValidArgs: []string{"bash", "zsh", "fish"},
		RunE: func(verb *cobra.Command, args []string) error {
			switch root := verb.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			}
			return usage("cannot complete in %s: say bash, zsh or fish", args[0])
		},
	}
}

// completeNoFiles keeps the shell from offering files as ids.
func completeNoFiles(verb *cobra.Command) {
	for _, sub := range verb.Commands() {
		completeNoFiles(sub)
	}
	if !strings.Contains(verb.Use, "DIR") && verb.ValidArgs == nil {
		verb.ValidArgsFunction = cobra.NoFileCompletions
	}
}
