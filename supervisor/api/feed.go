package api

import (
	"context"
	"net/http"

	"majordomo/install/feed"
)

func (s *Server) feed(w http.ResponseWriter, r *request) error {
	listing, err := s.o.Feed.Browse(r.Context(), r.query("refresh") == "true")
	if err != nil {
		return err
	}
	installed, err := s.installed(r.Context())
	if err != nil {
		return err
	}
	return reply(w, feedOf(listing, installed), nil)
}

func feedOf(l feed.Listing, installed map[string]int) Feed {
	f := Feed{
		URL: l.Base, FetchedAt: l.FetchedAt, AgeMS: l.Age.Milliseconds(), Signed: l.Signed, Stale: l.Stale != "", Reason: l.Stale,
		Connectors: []Offer{}, Problems: orEmpty(l.Problems),
	}
	for _, release := range l.Releases {
		f.Connectors = append(f.Connectors, offer(release, installed[release.ID]))
	}
	return f
}

func (s *Server) release(w http.ResponseWriter, r *request) error {
	release, err := s.o.Feed.Release(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	installed, err := s.installed(r.Context())
	return reply(w, offer(release, installed[release.ID]), err)
}

// installed is the version of every package on this disk.
func (s *Server) installed(ctx context.Context) (map[string]int, error) {
	packages, err := s.o.Installer.List(ctx)
	versions := map[string]int{}
	for _, p := range packages {
		versions[p.Release.ID] = p.Release.Version
	}
	return versions, err
}
