package main

import (
	"slices"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/sandbox"
	"majordomo/supervisor/api"
)

func (a *app) doctorVerb() *cobra.Command {
	r, selfTest := api.ProbeRequest{}, false
	verb := &cobra.Command{
		Use:   "doctor [ID]",
		Short: "Show what this host can enforce, and what is missing",
		Long: `Lists the sandbox layers this host gives, each one it does not with the reason and the fix, the interpreters that
connectors need with how to get a missing one, how what they run gets to them (mounted, or copied where that cannot be), the
package registries with whether they answer, and the feed with whether its index is signed; the last lines sum up what to
mend. The exit code is 1 when
something is missing without which nothing can start; layers that only warn do not count.

--self-test has a program try, in a sandbox like a connector's, some twenty things that none may permit, and shows what
held each. The exit code is 1 when one of them succeeded.

With a connector's ID it tests that connector's own sandbox: the connector's interpreter, confined as the connector is,
tries to read --path, and also one file it may read, which shows that the test itself works. The exit code is 1 when the
read was not refused.

--json: {"ok","problem","version","driver","state","layers":[…],"missing":[{"layer","reason","fix"}],"egress","notes":{…},
"totals":[{"layer","reason"}],"runtimes":[{"name","found","path","version","fix"}],"delivery":{"way","reason"},"registries":[{"name","reachable","error"}],"feed":{"url","signed"},
"self_test"?:[{"layer","attempt","held","said"}]};
with ID {"path","refused","error","control"}.`,
		Example: `  majordomo doctor
  majordomo doctor --self-test
  majordomo doctor notes --member ann --path /etc/shadow`,
		Args: atMostOneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				probe, err := a.client().Probe(cmd.Context(), args[0], r)
				if err != nil {
					return err
				}
				return a.finish(probe.Refused, a.print(probe, func() { a.showProbe(probe) }))
			}
			doctor, err := a.client().Doctor(cmd.Context(), selfTest)
			if err != nil {
				return err
			}
			return a.finish(doctor.OK && allHeld(doctor.SelfTest), a.print(doctor, func() { a.showDoctor(doctor) }))
		},
	}
	memberFlag(verb, &r.Member)
	verb.Flags().BoolVar(&selfTest, "self-test", false, "also try, in a sandbox, what must not be possible there")
	verb.Flags().StringVar(&r.Path, "path", "/etc/shadow", "with ID: the file that must not be readable")
	return verb
}

// finish turns a bad finding that was printed into exit code 1.
func (a *app) finish(ok bool, printed error) error {
	if printed == nil && !ok {
		return errSaid
	}
	return printed
}

func (a *app) showProbe(p api.Probe) {
	if p.Refused {
		a.say("refused, as it must be: %s: %s", p.Path, screen.OneLine(p.Error))
	} else {
		a.say("NOT REFUSED: the connector can read %s", p.Path)
	}
	a.say("the same run could read %s", p.Control)
}

func allHeld(checks []sandbox.SelfCheck) bool {
	return !slices.ContainsFunc(checks, func(c sandbox.SelfCheck) bool { return !c.Held })
}
