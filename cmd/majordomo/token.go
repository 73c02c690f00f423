package main

import (
	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) tokenVerb() *cobra.Command {
	verb := &cobra.Command{
		Use:   "token",
		Short: "Let an agent in",
		Long:  "An agent that connects to /mcp shows a bearer token, which says whose tools it gets.",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return usage("cannot run token alone: say create") },
	}
	verb.AddCommand(a.tokenCreateVerb())
	return verb
}

func (a *app) tokenCreateVerb() *cobra.Command {
	var r api.TokenRequest
	verb := &cobra.Command{
		Use:   "create --name NAME",
		Short: "Make a token for an agent of a member",
		Long: `Makes a bearer token for one agent. It is printed this once; only its hash is stored. Whoever has it can call every
tool of the member.

--json: {"id","token"}.`,
		Example: "  majordomo token create --member ann --name laptop",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.Name == "" {
				return usage("cannot make a token without a name: say --name, so that you know later which agent it is")
			}
			made, err := a.client().CreateToken(cmd.Context(), r)
			if err != nil {
				return err
			}
			return a.print(made, func() { a.say("%s", made.Token) })
		},
	}
	memberFlag(verb, &r.Member)
	verb.Flags().StringVar(&r.Name, "name", "", "what the agent is called")
	return verb
}

// memberFlag gives a verb --member with the rule that all of them share.
func memberFlag(verb *cobra.Command, member *string) {
	verb.Flags().StringVar(member, "member", "", "whose (default: yours, else the household's only member)")
}
