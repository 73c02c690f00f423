package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"majordomo/deps"
	"majordomo/install"
	"majordomo/supervisor"
)

func (s *Server) version(w http.ResponseWriter, _ *request) error { return reply(w, s.o.Version, nil) }

func (s *Server) status(w http.ResponseWriter, r *request) error {
	all := s.o.Supervisor.Status()
	status := Status{Version: s.o.Version.Version, Listen: s.o.Listen, Socket: s.o.Paths.Socket(), Instances: []Instance{}}
	for _, i := range all {
		if own := r.theirs(); own == "" || own == i.Member {
			status.Instances = append(status.Instances, instance(i))
		}
	}
	if r.caller.Admin && s.o.Config != nil {
		state := s.o.Config()
		status.Config = &state
	}
	return reply(w, status, nil)
}

func (s *Server) packages(w http.ResponseWriter, r *request) error {
	packages, err := s.o.Installer.List(r.Context())
	return reply(w, each(packages, packageOf), err)
}

// remove stops the connector for everybody before its files go.
func (s *Server) remove(w http.ResponseWriter, r *request) error {
	id, purge := r.PathValue("id"), r.query("purge") == "true"
	_, err := s.o.Installer.Package(r.Context(), id)
	var gone supervisor.Removed
	switch {
	case isA[*install.NotInstalledError](err):
		gone, err = s.o.Supervisor.Purge(r.Context(), id, purge)
	case err == nil:
		gone, err = s.o.Supervisor.Remove(r.Context(), supervisor.Removal{
			Connector: id, Purge: purge,
			Take: func(ctx context.Context) error { return s.o.Installer.Remove(ctx, id) },
		})
	}
	data := func(d supervisor.Data) Data { return Data(d) }
	return reply(w, Removed{ID: id, Kept: each(gone.Kept, data), Purged: each(gone.Purged, data), Freed: orEmpty(gone.Freed)}, err)
}

// collect clears away what nothing needs, or only says what that is.
func (s *Server) collect(w http.ResponseWriter, r *request) error {
	unused, err := s.o.Supervisor.Unused(r.Context())
	if err != nil {
		return err
	}
	folders, err := s.o.Installer.Leftovers(r.Context())
	if err != nil {
		return err
	}
	dry := r.query("dry_run") == "true"
	out := Collected{Unused: []deps.Leftover{}}
	add := func(l deps.Leftover, discard func() error) {
		if !dry {
			if gone := discard(); gone != nil {
				err = errors.Join(err, gone)
				return
			}
		}
		out.Unused, out.Bytes = append(out.Unused, l), out.Bytes+l.Bytes
	}
	for _, l := range unused {
		add(l, func() error { return s.o.Trees.Discard(l) })
	}
	for _, l := range folders {
		add(deps.Leftover{Kind: "package", Connector: l.ID, Path: l.Path, Bytes: l.Bytes},
			func() error { return s.o.Installer.Discard(r.Context(), l) })
	}
	return reply(w, out, err)
}

func (s *Server) tools(w http.ResponseWriter, r *request) error {
	member, err := s.member(r, r.query("member"))
	if err != nil {
		return err
	}
	tools, err := s.o.Supervisor.Tools(r.Context(), member)
	return reply(w, each(tools, toolOf), err)
}

// call hands out the connector's bytes as they are.
func (s *Server) call(w http.ResponseWriter, r *request) error {
	var in CallRequest
	if err := r.decode(&in); err != nil {
		return err
	}
	member, err := s.member(r, in.Member)
	if err != nil {
		return err
	}
	if len(in.Arguments) == 0 {
		in.Arguments = json.RawMessage("{}")
	}
	result, err := s.o.Supervisor.Call(r.Context(), member, in.Tool, in.Arguments)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(result)
	return nil
}

// mcp is /mcp for those whom the kernel vouches for, so that `majordomo mcp` needs no token.
func (s *Server) mcp(w http.ResponseWriter, r *request) error {
	member, err := s.member(r, r.query("member"))
	if err != nil {
		return err
	}
	s.o.Agents.ServeMember(w, r.Request, member)
	return nil
}
