package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/supervisor"
)

// wanted is what the request asks the installer for.
func (r *request) wanted() install.Request {
	return install.Request{
		ID: r.PathValue("id"), Update: r.query("update") == "true", AllowDowngrade: r.query("allow_downgrade") == "true",
		AcceptWider: r.query("accept_wider") == "true",
	}
}

func (s *Server) plan(w http.ResponseWriter, r *request) error {
	plan, err := s.o.Installer.Plan(r.Context(), r.wanted())
	if err == nil {
		s.reach(r.Context(), &plan)
	}
	return reply(w, plan, err)
}

// reach adds what only the daemon knows: which hosts a build asks, and what the sandbox lets out.
func (s *Server) reach(ctx context.Context, p *install.Plan) {
	for _, tool := range []string{"npm", "pip"} {
		if !slices.ContainsFunc(p.DependencyFiles, func(f string) bool { return installerOf(f) == tool }) {
			continue
		}
		hosts, err := s.o.Trees.Hosts(ctx, tool)
		if err != nil {
			p.Notes = append(p.Notes, fmt.Sprintf("which hosts %s will ask is not known: %v", tool, err))
		}
		for _, host := range hosts {
			p.Hosts = append(p.Hosts, install.Host{Host: host,
				Why: tool + " asks it when the dependencies are built; others only for dependencies that are addresses, or by deps.registries"})
		}
	}
	switch report := s.o.Sandbox.Report(); {
	case p.Source != manifest.SourceLocal:
	case report.Driver == "none":
		p.Network = "whatever this machine can reach: the sandbox is off"
	case p.Egress == "open":
		p.Network = report.Egress
	}
}

func installerOf(file string) string {
	if strings.HasSuffix(file, ".json") {
		return "npm"
	}
	return "pip"
}

// install also restarts what runs of the connector, so that nobody keeps an old version without knowing, and takes back
// what does not start.
func (s *Server) install(w http.ResponseWriter, r *request) error {
	var agreed agreement
	if r.ContentLength != 0 {
		if err := r.decode(&agreed); err != nil {
			return err
		}
	}
	stream(w, shared, func(report func(Progress)) (Package, error) {
		report = timed(report)
		wanted := r.wanted()
		wanted.Accepted = agreed.Accepted
		wanted.Progress = func(e install.Event) { report(installing(e)) }
		verb := "install"
		if wanted.Update {
			verb = "update"
		}
		return s.change(r, verb, report, func(ctx context.Context, trial []string) (install.Package, error) {
			wanted.Trial = trial
			return s.o.Installer.Install(ctx, wanted)
		})
	})
	return nil
}

func (s *Server) rollback(w http.ResponseWriter, r *request) error {
	stream(w, shared, func(report func(Progress)) (Package, error) {
		return s.change(r, "roll back", timed(report), func(ctx context.Context, trial []string) (install.Package, error) {
			return s.o.Installer.Rollback(ctx, r.PathValue("id"), trial)
		})
	})
	return nil
}

// change puts another package in place, under the supervisor's eyes.
func (s *Server) change(r *request, verb string, report func(Progress), do func(context.Context, []string) (install.Package, error)) (Package, error) {
	var installed install.Package
	err := s.o.Supervisor.Update(r.Context(), supervisor.Change{
		Connector: r.PathValue("id"), Verb: verb,
		Do:       func(ctx context.Context, trial []string) (err error) { installed, err = do(ctx, trial); return err },
		Progress: func(p supervisor.Progress) { report(working(p)) },
	})
	return packageOf(installed), err
}
