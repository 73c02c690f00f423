package api

import (
	"context"

	"majordomo/configs/manifest"
	"majordomo/install"
)

// Feed lists what is offered.
func (c *Client) Feed(ctx context.Context, refresh bool) (Feed, error) {
	return ask[Feed](ctx, c, get("/v1/feed").flag("refresh", refresh))
}

// Release shows one offered connector.
func (c *Client) Release(ctx context.Context, id string) (Shown, error) {
	return ask[Shown](ctx, c, get("/v1/feed", id))
}

// Packages lists what is installed.
func (c *Client) Packages(ctx context.Context) ([]Package, error) {
	return ask[[]Package](ctx, c, get("/v1/packages"))
}

// InstallRequest asks for the connector's release that the feed offers now.
type InstallRequest struct {
	Connector      string
	Update         bool // only of what is installed, and only forward
	AllowDowngrade bool // whatever the versions are

	AcceptWider bool              // whatever it reaches for beyond what is installed
	Accepted    []manifest.Change // or just these, which somebody was shown and agreed to
}

// agreement is the body of an install.
type agreement struct {
	Accepted []manifest.Change `json:"accepted"`
}

func (r InstallRequest) ask(q question) question {
	return q.flag("update", r.Update).flag("allow_downgrade", r.AllowDowngrade).flag("accept_wider", r.AcceptWider)
}

// Plan says what Install would do; nothing is downloaded or changed.
func (c *Client) Plan(ctx context.Context, r InstallRequest) (install.Plan, error) {
	return ask[install.Plan](ctx, c, r.ask(get("/v1/packages", r.Connector, "plan")))
}

// Install downloads, verifies and installs a connector, and restarts what runs of it. It is an *Error of kind Wider when it
// reaches for more than what is installed and that was not agreed to; see Plan.Widens.
func (c *Client) Install(ctx context.Context, r InstallRequest, progress func(Progress)) (Package, error) {
	q := r.ask(post("/v1/packages", r.Connector)).with(agreement{r.Accepted})
	return watch[Progress, Package](ctx, c, q, progress)
}

// Rollback puts the package back that the installed one replaced.
func (c *Client) Rollback(ctx context.Context, id string, progress func(Progress)) (Package, error) {
	return watch[Progress, Package](ctx, c, post("/v1/packages", id, "rollback"), progress)
}

// Remove takes an installed connector away, with every activation of it; with purge also what it kept for its members.
func (c *Client) Remove(ctx context.Context, id string, purge bool) (Removed, error) {
	return ask[Removed](ctx, c, remove("/v1/packages", id).flag("purge", purge))
}

// Collect clears away what nothing needs; with dry it only says what that is.
func (c *Client) Collect(ctx context.Context, dry bool) (Collected, error) {
	return ask[Collected](ctx, c, post("/v1/gc").flag("dry_run", dry))
}
