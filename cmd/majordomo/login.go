package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/qr"
	"majordomo/cmd/majordomo/screen"
	"majordomo/supervisor/api"
)

func (a *app) loginVerb() *cobra.Command {
	var member string
	var timeout time.Duration
	verb := &cobra.Command{
		Use:   "login ID",
		Short: "Sign in to a connector by QR code",
		Long: `Follows the sign-in of a connector that is linked by scanning a QR code. On a terminal the code is drawn, and drawn
again when it changes; elsewhere only the state is printed. It ends when the connector is ready.

--json: {"state","message"?} of the last state.`,
		Example: "  majordomo login pairing --member ann",
		Args:    oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeoutCause(cmd.Context(), timeout, errTooLate)
			defer cancel()
			last, err := a.client().Login(ctx, args[0], member, a.loginStep())
			if errors.Is(err, errTooLate) {
				return fmt.Errorf("cannot sign in to %s: it was not ready within %s; try again, or look at: majordomo logs %s",
					args[0], timeout, args[0])
			}
			if err != nil {
				return err
			}
			last.QR = "" // of no use any more
			return a.print(last, func() {})
		},
	}
	memberFlag(verb, &member)
	verb.Flags().DurationVar(&timeout, "timeout", 5*time.Minute, "give up after this long")
	return verb
}

var errTooLate = errors.New("the time is up")

// loginStep tells a person about each change. With --json it is silent: the result says it all.
func (a *app) loginStep() func(api.Login) {
	if a.json {
		return nil
	}
	draw := screen.IsTerminal(a.out)
	return func(l api.Login) {
		if l.Message != "" {
			a.say("%s: %s", screen.OneLine(l.State), screen.OneLine(l.Message))
		} else {
			a.say("%s", screen.OneLine(l.State))
		}
		if !draw || l.QR == "" {
			return
		}
		picture, err := qr.Draw(l.QR)
		if err != nil {
			a.say("%v", err)
			return
		}
		a.say("%s", picture)
	}
}
