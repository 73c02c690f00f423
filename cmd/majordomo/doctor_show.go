package main

import (
	"cmp"
	"strings"

	"majordomo/cmd/majordomo/screen"
	"majordomo/sandbox"
	"majordomo/supervisor/api"
)

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
