package api

import (
	"context"
	"errors"
	"net/http"

	"majordomo/deps"
	"majordomo/install"
	"majordomo/supervisor"
)

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
	folders, err := s.o.Installer.Leftovers()
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
