package api

import (
	"context"
	"net/http"

	"majordomo/sandbox/runtimes"
)

func (s *Server) doctor(w http.ResponseWriter, r *request) error {
	report := s.o.Sandbox.Report()
	return reply(w, Doctor{
		Version: s.o.Version.Version, State: s.o.Paths.State, Driver: report.Driver,
		Layers: orEmpty(report.InForce), Missing: orEmpty(report.Missing),
		Runtimes: runtimesOf(r.Context(), s.o.Runtimes),
	}, nil)
}

// runtimesOf looks for every interpreter that connectors may be written for.
func runtimesOf(ctx context.Context, finder *runtimes.Finder) []Runtime {
	var all []Runtime
	for _, name := range []string{"node", "npm", "python3", "pip", "sh"} {
		found, err := finder.Find(ctx, name)
		r := Runtime{Name: name, Found: err == nil, Path: found.Path, Version: found.Version}
		if err != nil {
			r.Fix = err.Error()
		}
		all = append(all, r)
	}
	return all
}
