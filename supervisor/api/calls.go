package api

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"majordomo/configs/manifest"
	"majordomo/install"
)

// Everything below is one route each; the table in routes.go says who may ask. Where a member is named, "" means the
// caller's own, else the household's only one.

// none is the answer where there is nothing to say.
type none struct{}

func ofMember(member string) url.Values {
	if member == "" {
		return nil
	}
	return url.Values{"member": {member}}
}

// Version asks who answers.
func (c *Client) Version(ctx context.Context) (Version, error) {
	return ask[Version](ctx, c, "GET", "/v1/version", nil, nil)
}

// Status lists the daemon's instances.
func (c *Client) Status(ctx context.Context) (Status, error) {
	return ask[Status](ctx, c, "GET", "/v1/status", nil, nil)
}

// Doctor asks what the host can do.
//
// With selfTest a program tries, in a sandbox, what none may permit.
func (c *Client) Doctor(ctx context.Context, selfTest bool) (Doctor, error) {
	var query url.Values
	if selfTest {
		query = url.Values{"self_test": {"true"}}
	}
	return ask[Doctor](ctx, c, "GET", "/v1/doctor", query, nil)
}

// Feed lists what is offered.
func (c *Client) Feed(ctx context.Context, refresh bool) (Feed, error) {
	return ask[Feed](ctx, c, "GET", "/v1/feed", url.Values{"refresh": {strconv.FormatBool(refresh)}}, nil)
}

// Release shows one offered connector.
func (c *Client) Release(ctx context.Context, id string) (Shown, error) {
	return ask[Shown](ctx, c, "GET", "/v1/feed/"+url.PathEscape(id), nil, nil)
}

// Packages lists what is installed.
func (c *Client) Packages(ctx context.Context) ([]Package, error) {
	return ask[[]Package](ctx, c, "GET", "/v1/packages", nil, nil)
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

func (r InstallRequest) path() string { return "/v1/packages/" + url.PathEscape(r.Connector) }

func (r InstallRequest) query() url.Values {
	query := url.Values{}
	if r.Update {
		query.Set("update", "true")
	}
	if r.AllowDowngrade {
		query.Set("allow_downgrade", "true")
	}
	if r.AcceptWider {
		query.Set("accept_wider", "true")
	}
	return query
}

// Plan says what Install would do; nothing is downloaded or changed.
func (c *Client) Plan(ctx context.Context, r InstallRequest) (install.Plan, error) {
	return ask[install.Plan](ctx, c, "GET", r.path()+"/plan", r.query(), nil)
}

// Rollback puts the package back that the installed one replaced.
func (c *Client) Rollback(ctx context.Context, id string, progress func(Progress)) (Package, error) {
	return watch[Progress, Package](ctx, c, "POST", "/v1/packages/"+url.PathEscape(id)+"/rollback", nil, nil, progress)
}

// Install downloads, verifies and installs a connector, and restarts what runs of it. It is an *Error of kind Wider when it
// reaches for more than what is installed and that was not agreed to; see Plan.Widens.
func (c *Client) Install(ctx context.Context, r InstallRequest, progress func(Progress)) (Package, error) {
	return watch[Progress, Package](ctx, c, "POST", r.path(), r.query(), agreement{r.Accepted}, progress)
}

// Remove takes an installed connector away, with every activation of it; with purge also what it kept for its members.
func (c *Client) Remove(ctx context.Context, id string, purge bool) (Removed, error) {
	query := url.Values{}
	if purge {
		query.Set("purge", "true")
	}
	return ask[Removed](ctx, c, "DELETE", "/v1/packages/"+url.PathEscape(id), query, nil)
}

// Collect clears away what nothing needs; with dry it only says what that is.
func (c *Client) Collect(ctx context.Context, dry bool) (Collected, error) {
	query := url.Values{}
	if dry {
		query.Set("dry_run", "true")
	}
	return ask[Collected](ctx, c, "POST", "/v1/gc", query, nil)
}

// Members lists the household.
func (c *Client) Members(ctx context.Context) ([]Member, error) {
	return ask[[]Member](ctx, c, "GET", "/v1/members", nil, nil)
}

// AddMember adds a person.
func (c *Client) AddMember(ctx context.Context, m Member) (Member, error) {
	return ask[Member](ctx, c, "POST", "/v1/members", nil, m)
}

// CreateToken makes an agent token for a member.
func (c *Client) CreateToken(ctx context.Context, r TokenRequest) (NewToken, error) {
	return ask[NewToken](ctx, c, "POST", "/v1/tokens", nil, r)
}

// Tokens lists the agent tokens the caller may see.
func (c *Client) Tokens(ctx context.Context) ([]Token, error) {
	return ask[[]Token](ctx, c, "GET", "/v1/tokens", nil, nil)
}

// RevokeToken makes a token worthless.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	_, err := ask[none](ctx, c, "DELETE", "/v1/tokens/"+url.PathEscape(id), nil, nil)
	return err
}

// Activate runs a connector for a member: form check, dependencies, verify, start.
func (c *Client) Activate(ctx context.Context, r ActivationRequest, progress func(Progress)) (Activation, error) {
	return watch[Progress, Activation](ctx, c, "POST", "/v1/activations", nil, r, progress)
}

// Deactivate stops a member's connector and forgets its configuration and secrets.
func (c *Client) Deactivate(ctx context.Context, connector, member string) error {
	_, err := ask[none](ctx, c, "DELETE", "/v1/activations/"+url.PathEscape(connector), ofMember(member), nil)
	return err
}

// Stop stops a member's connector until Start or Restart.
func (c *Client) Stop(ctx context.Context, connector, member string) error {
	_, err := ask[none](ctx, c, "POST", "/v1/activations/"+url.PathEscape(connector)+"/stop", ofMember(member), nil)
	return err
}

// Start starts a member's connector that does not run.
func (c *Client) Start(ctx context.Context, connector, member string) error {
	_, err := ask[none](ctx, c, "POST", "/v1/activations/"+url.PathEscape(connector)+"/start", ofMember(member), nil)
	return err
}

// Restart stops a member's connector and starts it again.
func (c *Client) Restart(ctx context.Context, connector, member string) error {
	_, err := ask[none](ctx, c, "POST", "/v1/activations/"+url.PathEscape(connector)+"/restart", ofMember(member), nil)
	return err
}

// Logs hands out the kept lines of a connector's stderr; with wait it goes on until ctx ends.
func (c *Client) Logs(ctx context.Context, connector, member string, wait bool, line func(LogLine)) error {
	query := url.Values{"member": {member}}
	if wait {
		query.Set("follow", "true")
	}
	_, err := watch[LogLine, none](ctx, c, "GET", "/v1/activations/"+url.PathEscape(connector)+"/logs", query, nil, line)
	return err
}

// Login follows a QR sign-in: step sees each change, the result is the state that ended it.
func (c *Client) Login(ctx context.Context, connector, member string, step func(Login)) (Login, error) {
	return watch[Login, Login](ctx, c, "GET", "/v1/activations/"+url.PathEscape(connector)+"/login", ofMember(member), nil, step)
}

// Probe makes a connector's own interpreter try to read a path from inside its sandbox.
func (c *Client) Probe(ctx context.Context, connector string, r ProbeRequest) (Probe, error) {
	return ask[Probe](ctx, c, "POST", "/v1/activations/"+url.PathEscape(connector)+"/probe", nil, r)
}

// Tools lists a member's tools.
func (c *Client) Tools(ctx context.Context, member string) ([]Tool, error) {
	return ask[[]Tool](ctx, c, "GET", "/v1/tools", ofMember(member), nil)
}

// Call calls one tool. The result is the connector's own CallToolResult, byte for byte; a result that says isError is
// not an error here.
func (c *Client) Call(ctx context.Context, r CallRequest) (json.RawMessage, error) {
	return c.raw(ctx, "POST", "/v1/call", nil, r)
}
