package api

import (
	"context"
	"net/http"
	"time"

	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// Feed is what is offered, in the feed's order.
type Feed struct {
	URL        string             `json:"url"`
	BaseURL    string             `json:"base_url"` // the same, by the name that the guide's clients know
	FetchedAt  time.Time          `json:"fetched_at"`
	AgeMS      int64              `json:"age_ms"`
	Signed     bool               `json:"signed"` // the index has the signature of feed.public_key
	Stale      bool               `json:"stale"`  // an earlier listing, because the feed cannot be had now
	Reason     string             `json:"reason"` // why it cannot; "" unless stale
	Connectors []Offer            `json:"connectors"`
	Problems   []manifest.Problem `json:"problems"` // of the index itself
}

// Offer is one offered connector as a card: the release, with what is wrong with it in its problems, and beside it what a
// front end would otherwise have to work out. Lists of the release are here again so that an empty one is [].
type Offer struct {
	manifest.Release
	Env               []manifest.Env     `json:"env"`
	Files             []manifest.File    `json:"files"`
	Problems          []manifest.Problem `json:"problems"`
	Requires          []string           `json:"requires"`
	Tags              []string           `json:"tags"`
	Dependencies      []string           `json:"dependencies"`
	SetupInstructions []string           `json:"setup_instructions"`

	AuthKind     string   `json:"auth_kind"`
	AuthDelivery string   `json:"auth_delivery"`
	OAuthScopes  []string `json:"oauth_scopes"`
	FileCount    int      `json:"file_count"`
	HasIcon      bool     `json:"has_icon"`

	Version          *int `json:"version"`           // null = it declares none
	IsInstalled      bool `json:"is_installed"`      // some version of it is on this disk
	Installed        int  `json:"installed"`         // the version on this disk; 0 = none, or none that says its version
	InstalledVersion *int `json:"installed_version"` // the same; null = none, or none that says its version
	UpdateAvailable  bool `json:"update_available"`  // an update would take what is offered; never where that has no version
}

// Shown is one card, of the last listing where the feed cannot be had now.
type Shown struct {
	Offer
	Stale  bool   `json:"stale"`
	AgeMS  int64  `json:"age_ms"` // of the listing; 0 unless stale
	Reason string `json:"reason"` // why it cannot; "" unless stale
}

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

func feedOf(l feed.Listing, installed map[string]manifest.Release) Feed {
	f := Feed{
		URL: l.Base, BaseURL: l.Base, FetchedAt: l.FetchedAt, AgeMS: l.Age.Milliseconds(), Signed: l.Signed,
		Stale: l.Stale != "", Reason: l.Stale,
		Connectors: []Offer{}, Problems: orEmpty(l.Problems),
	}
	for _, release := range l.Releases {
		f.Connectors = append(f.Connectors, offer(release, installed))
	}
	return f
}

func offer(r manifest.Release, installed map[string]manifest.Release) Offer {
	o := Offer{
		Release: r,
		Env:     orEmpty(r.Env), Files: orEmpty(r.Files), Problems: orEmpty(r.Problems),
		Requires: orEmpty(r.Requires), Tags: orEmpty(r.Tags),
		Dependencies: orEmpty(r.Dependencies), SetupInstructions: orEmpty(r.SetupInstructions),
		AuthKind: r.Auth.Kind, AuthDelivery: r.Auth.Delivery, OAuthScopes: orEmpty(r.Auth.Scopes),
		FileCount: len(r.Files), HasIcon: r.Icons != manifest.Icons{},
	}
	o.Version = declared(r)
	if here, ok := installed[r.ID]; ok {
		o.IsInstalled, o.Installed, o.InstalledVersion = true, here.Version, declared(here)
		o.UpdateAvailable = r.NewerThan(here)
	}
	return o
}

// declared is the version that a release says it has, or nil.
func declared(r manifest.Release) *int {
	if r.Unversioned {
		return nil
	}
	return &r.Version
}

func (s *Server) release(w http.ResponseWriter, r *request) error {
	release, from, err := s.o.Feed.Show(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	installed, err := s.installed(r.Context())
	return reply(w, Shown{offer(release, installed), from.Stale != "", from.Age.Milliseconds(), from.Stale}, err)
}

// installed is every package on this disk.
func (s *Server) installed(ctx context.Context) (map[string]manifest.Release, error) {
	packages, err := s.o.Installer.List(ctx)
	all := map[string]manifest.Release{}
	for _, p := range packages {
		all[p.Release.ID] = p.Release
	}
	return all, err
}
