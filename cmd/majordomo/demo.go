package main

import (
	"errors"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/demo"
	"majordomo/cmd/majordomo/screen"
)

func (a *app) demoVerb() *cobra.Command {
	o := demo.Options{Out: a.out, Err: a.err}
	verb := &cobra.Command{
		Use:   "demo",
		Short: "Show the main job on real connectors",
		Long: `Starts a daemon of its own with the example feed, adds a member, and for every connector of the feed: installs it,
activates it, signs in where that takes a QR code, calls its tools through /mcp, and lets it try to read what its sandbox
forbids. Then it restarts the daemon and looks that nobody has to sign in again.

A connector whose package registry cannot be reached from this host is skipped, by name. On a terminal the daemon goes on
serving until Ctrl-C, with a word on how to connect an agent. Everything it made is gone when it ends, unless --state says
where to keep it: a second run there is faster.

The exit code is 0 only if every step succeeded.

--json: {"ok","steps":[{"name","ok","ms","error"?}],"connectors":[{"id","version","tools":[…],
"sandbox":{"layers":[…],"missing":[…]},"sample":{"tool","ok","text"},"skipped"?}]}.`,
		Example: `  majordomo demo
  majordomo demo --json --strict`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.State, o.JSON = a.state, a.json
			if !cmd.Flags().Changed("keep-serving") {
				o.Serve = !a.json && screen.IsTerminal(a.in) && screen.IsTerminal(a.out)
			}
			err := demo.Run(cmd.Context(), o)
			if errors.Is(err, demo.ErrFailed) {
				return errSaid
			}
			return err
		},
	}
	verb.Flags().BoolVar(&o.Strict, "strict", false, "fail when a connector has to be skipped")
	verb.Flags().BoolVar(&o.Serve, "keep-serving", false, "go on serving until Ctrl-C (default: on a terminal, without --json)")
	return verb
}
