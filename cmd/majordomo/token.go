package main

import (
	"time"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) tokenVerb() *cobra.Command {
	return ofVerbs(&cobra.Command{
		Use:   "token",
		Short: "Let an agent in",
		Long:  "An agent that connects to /mcp shows a bearer token, which says whose tools it gets.",
	}, a.tokenCreateVerb(), a.tokenListVerb(), a.tokenRevokeVerb())
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
		Args:    noArguments,
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

func (a *app) tokenListVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the agents that have a token",
		Long: `Lists whose tokens there are and which agent each was made for; the tokens themselves are not kept. A member who is
no admin sees only their own.

--json: array of {"id","member","name","created"}.`,
		Example: "  majordomo token list",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tokens, err := a.client().Tokens(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(tokens, func() { a.showTokens(tokens) })
		},
	}
}

func (a *app) showTokens(tokens []api.Token) {
	var rows [][]string
	for _, t := range tokens {
		rows = append(rows, []string{t.ID, t.Member, t.Name, t.Created.Local().Format(time.DateTime)})
	}
	a.list("TOKEN MEMBER AGENT CREATED", rows, "no agent has a token yet: majordomo token create --name NAME")
}

func (a *app) tokenRevokeVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID",
		Short: "Lock an agent out",
		Long: `Makes a token worthless from now on. The ID is in "token list".

--json: {"id"}.`,
		Example: "  majordomo token revoke 5f0c2a",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.client().RevokeToken(cmd.Context(), args[0]); err != nil {
				return err
			}
			return a.print(map[string]string{"id": args[0]}, func() { a.say("revoked %s", args[0]) })
		},
	}
}
