package main

import (
	"cmp"
	"slices"
	"strings"

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

func (a *app) showSelfTest(checks []sandbox.SelfCheck) {
	var rows [][]string
	for _, c := range checks {
		state := "held"
		if !c.Held {
			state = "PERMITTED"
		}
		rows = append(rows, []string{string(c.Layer), state, c.Attempt, screen.OneLine(c.Said)})
	}
	a.say("")
	a.table("LAYER STATE ATTEMPT ANSWER", rows)
}

func (a *app) showDoctor(d api.Doctor) {
	a.say("majordomo %s, sandbox driver %s, state %s", d.Version, d.Driver, d.State)
	a.showLayers(d)
	a.showTotals(d.Totals)
	a.showRuntimes(d.Runtimes)
	a.say("\npackages and dependencies reach connectors by %s: %s\n", d.Delivery.Way, screen.OneLine(d.Delivery.Reason))
	a.showRegistries(d.Registries)
	a.showFeedState(d.Feed)
	if len(d.SelfTest) > 0 {
		a.showSelfTest(d.SelfTest)
	}
	a.say("")
	if missing := wanting(d); len(missing) > 0 {
		a.say("to mend: %s", strings.Join(missing, "; "))
	} else {
		a.say("nothing is missing that connectors need")
	}
	if !d.OK {
		a.say("NO CONNECTOR CAN START: %s", screen.OneLine(d.Problem))
	}
}

// wanting is what a person may want to do something about.
func wanting(d api.Doctor) (all []string) {
	for _, m := range d.Missing {
		all = append(all, "the sandbox lacks "+string(m.Layer))
	}
	for _, r := range d.Runtimes {
		if !r.Found {
			all = append(all, r.Name+" is missing")
		}
	}
	for _, r := range d.Registries {
		if !r.Reachable {
			all = append(all, "the "+r.Name+" registry cannot be reached")
		}
	}
	if d.Feed.URL == "" {
		all = append(all, "no feed is configured")
	}
	return all
}

// showTotals says what is held of what all connectors of one member may have.
func (a *app) showTotals(totals []sandbox.Total) {
	for _, t := range totals {
		if t.Reason == "" {
			a.say("limits.member_%s is in force: all connectors of one member together have no more", t.Layer)
		} else {
			a.say("limits.member_%s is NOT IN FORCE: %s", t.Layer, screen.OneLine(t.Reason))
		}
	}
}

func (a *app) showLayers(d api.Doctor) {
	var names []string
	for _, layer := range d.Layers {
		names = append(names, string(layer))
	}
	a.say("%d of %d sandbox layers are in force: %s", len(d.Layers), len(d.Layers)+len(d.Missing), strings.Join(names, " "))
	for _, layer := range d.Layers {
		note := d.Notes[layer]
		if layer == sandbox.Egress {
			note = strings.TrimSuffix("lets out "+d.Egress+"; "+note, "; ")
		}
		if note != "" {
			a.say("  %s: %s", layer, screen.OneLine(note))
		}
	}
	for _, m := range d.Missing {
		a.say("  MISSING %s: %s", m.Layer, screen.OneLine(m.Reason))
		if m.Fix != "" {
			a.say("    fix: %s", screen.OneLine(m.Fix))
		}
	}
}

func (a *app) showRuntimes(all []api.Runtime) {
	var rows [][]string
	for _, r := range all {
		state := cmp.Or(r.Version, "found")
		if !r.Found {
			state = "MISSING"
		}
		rows = append(rows, []string{r.Name, state, r.Path, r.Fix})
	}
	a.say("")
	a.table("RUNTIME VERSION PATH FIX", rows)
}

func (a *app) showRegistries(all []api.Registry) {
	var rows [][]string
	for _, r := range all {
		state := "reachable"
		if !r.Reachable {
			state = "UNREACHABLE"
		}
		rows = append(rows, []string{r.Name, state, r.Error})
	}
	a.table("REGISTRY STATE REASON", rows)
	a.say("")
}

func (a *app) showFeedState(f api.FeedState) {
	if f.URL == "" {
		a.say("feed: none is configured")
	} else {
		a.say("feed %s: %s", screen.OneLine(f.URL), signedWord(f.Signed))
	}
}
