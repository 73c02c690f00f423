package api

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

func (s *Server) doctor(w http.ResponseWriter, r *request) error {
	why := ""
	if err := s.o.Sandbox.Ready(); err != nil { // first: it may look again
		why = err.Error()
	}
	report := s.o.Sandbox.Report()
	test, err := s.selfTest(r)
	if err != nil {
		return err
	}
	return reply(w, Doctor{
		SelfTest: test,
		OK:       why == "", Problem: why,
		Version: s.o.Version.Version, State: s.o.Paths.State, Driver: report.Driver,
		Layers: orEmpty(report.InForce), Missing: orEmpty(report.Missing), Egress: report.Egress, Notes: notes(report.Notes),
		Totals:   orEmpty(report.Totals),
		Delivery: Delivery(s.o.Delivery.Choose(r.Context())),
		Runtimes: runtimesOf(r.Context(), s.o.Runtimes), Registries: registriesOf(s.o.Trees.Reachable(r.Context())),
		Feed: FeedState{URL: s.o.Feed.Base(), Signed: s.o.Feed.Signed()},
	}, nil)
}

// selfTest tries what no sandbox may permit, where that was asked for.
func (s *Server) selfTest(r *request) ([]sandbox.SelfCheck, error) {
	if r.query("self_test") != "true" {
		return nil, nil
	}
	return s.o.Sandbox.SelfTest(r.Context())
}

// runtimesOf looks for every interpreter that connectors may be written for.
func runtimesOf(ctx context.Context, finder *runtimes.Finder) []Runtime {
	var all []Runtime
	for _, name := range []string{"node", "npm", "python3", "pip", "sh"} {
		found, err := finder.Find(ctx, name)
		r := Runtime{Name: name, Found: err == nil, Path: found.Path, Version: found.Version}
		if name == "npm" && len(found.Args) > 0 {
			r.Path = found.Args[0] // a program for node, which has a line of its own
		}
		if err != nil {
			r.Fix = err.Error()
		}
		all = append(all, r)
	}
	return all
}

func registriesOf(answers map[string]error) []Registry {
	all := []Registry{}
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		r := Registry{Name: name, Reachable: answers[name] == nil}
		if answers[name] != nil {
			r.Error = answers[name].Error()
		}
		all = append(all, r)
	}
	return all
}
