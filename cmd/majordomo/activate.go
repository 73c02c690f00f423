package main

import (
	"errors"

	"github.com/spf13/cobra"

	"majordomo/supervisor/api"
)

func (a *app) activateVerb() *cobra.Command {
	r := api.ActivationRequest{}
	var set, secret []string
	verb := &cobra.Command{
		Use:   "activate ID",
		Short: "Run a connector for a member",
		Long: `Checks the connector's form, builds what it depends on, verifies the values where the connector has a check, and
starts it in the member's sandbox. "feed show ID" lists the values it asks for.

Plain values are given with --set K=V. Secrets are never written on the command line, where every user of the machine
can read them: --secret K=@FILE reads a file, --secret K=- reads standard input. The line end after a one-line secret is
not part of it. Secrets are sealed before they are stored and never come back out.

--egress says what it may reach: none; open, every public host; list:HOST:PORT,… those and nothing else, port 443 where
none is named; or default, what the connector declares, else open. Addresses of the household's own network are refused
whatever it says, but for what an admin grants with --allow-private HOST:PORT ("none" takes all grants back). Both are
remembered, and stay as they are where they are not given.

A connector that signs in by QR code starts as pending_login; "majordomo login ID" goes on from there.

--json: {"id","activation","name","state","auth_state","reason"?,"tools":[{"name","title","connector","description","inputSchema"}],
"egress","allow_private":[…]}.`,
		Example: `  majordomo activate notes --member ann
  majordomo activate weather --egress list:api.example.org:443
  majordomo activate files --egress none
  majordomo activate mail --member ann --set HOST=mail.example.org --secret PASSWORD=@/run/secrets/mail
  pass mail | majordomo activate mail --set HOST=mail.example.org --secret PASSWORD=-`,
		Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			r.Connector = args[0]
			if r.Set, r.Secrets, err = a.form(cmd.Context(), set, secret); err != nil {
				return err
			}
			act, err := watched(a, func(show func(api.Progress)) (api.Activation, error) {
				return a.client().Activate(cmd.Context(), r, show)
			})
			if err != nil {
				return err
			}
			if err := a.print(act, func() { a.showActivation(act, r.Member) }); err != nil || act.State != "error" {
				return err
			}
			return errors.New(act.Reason)
		},
	}
	memberFlag(verb, &r.Member)
	formFlags(verb, &set, &secret)
	verb.Flags().StringVar(&r.Egress, "egress", "", "what it may reach: none, open, list:HOST:PORT,… or default")
	verb.Flags().StringArrayVar(&r.AllowPrivate, "allow-private", nil, "a private HOST:PORT that it may reach; may be repeated")
	return verb
}

func (a *app) showActivation(act api.Activation, member string) {
	a.say("%s is %s", act.ID, act.State)
	if act.State == "pending_login" {
		hint := "sign in with: majordomo login " + act.ID
		if member != "" {
			hint += " --member " + member
		}
		a.say("%s", hint)
	}
	if len(act.Tools) > 0 {
		a.showTools(act.Tools)
	}
}
