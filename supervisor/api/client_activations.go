package api

import (
	"context"
	"encoding/json"
)

// Where a member is named, "" means the caller's own, else the household's only one.

// Activate runs a connector for a member: form check, dependencies, verify, start.
func (c *Client) Activate(ctx context.Context, r ActivationRequest, progress func(Progress)) (Activation, error) {
	return watch[Progress, Activation](ctx, c, post("/v1/activations").with(r), progress)
}

// Deactivate stops a member's connector and forgets its configuration and secrets.
func (c *Client) Deactivate(ctx context.Context, connector, member string) error {
	return tell(ctx, c, remove("/v1/activations", connector).of(member))
}

// Stop stops a member's connector until Start or Restart.
func (c *Client) Stop(ctx context.Context, connector, member string) error {
	return tell(ctx, c, post("/v1/activations", connector, "stop").of(member))
}

// Start starts a member's connector that does not run.
func (c *Client) Start(ctx context.Context, connector, member string) error {
	return tell(ctx, c, post("/v1/activations", connector, "start").of(member))
}

// Restart stops a member's connector and starts it again.
func (c *Client) Restart(ctx context.Context, connector, member string) error {
	return tell(ctx, c, post("/v1/activations", connector, "restart").of(member))
}

// LogsRequest asks for what a connector of a member wrote.
type LogsRequest struct {
	Member, Connector string
	Follow            bool // go on until ctx ends
}

// Logs hands out the kept lines of a connector's stderr.
func (c *Client) Logs(ctx context.Context, r LogsRequest, line func(LogLine)) error {
	q := get("/v1/activations", r.Connector, "logs").of(r.Member).flag("follow", r.Follow)
	_, err := watch[LogLine, none](ctx, c, q, line)
	return err
}

// Login follows a QR sign-in: step sees each change, the result is the state that ended it.
func (c *Client) Login(ctx context.Context, connector, member string, step func(Login)) (Login, error) {
	return watch[Login, Login](ctx, c, get("/v1/activations", connector, "login").of(member), step)
}

// Probe makes a connector's own interpreter try to read a path from inside its sandbox.
func (c *Client) Probe(ctx context.Context, connector string, r ProbeRequest) (Probe, error) {
	return ask[Probe](ctx, c, post("/v1/activations", connector, "probe").with(r))
}

// Develop runs a connector from the files in the request until ctx ends, and reports what becomes of it. Its phase
// supervisor.PhaseTaken says that these files are what runs now; a Develop of the same connector and member that was
// running before ends then.
func (c *Client) Develop(ctx context.Context, connector string, r DevelopmentRequest, report func(Progress)) error {
	_, err := watch[Progress, none](ctx, c, post("/v1/development", connector).with(r), report)
	return err
}

// Tools lists a member's tools.
func (c *Client) Tools(ctx context.Context, member string) ([]Tool, error) {
	return ask[[]Tool](ctx, c, get("/v1/tools").of(member))
}

// Call calls one tool. The result is the connector's own CallToolResult, byte for byte; a result that says isError is
// not an error here.
func (c *Client) Call(ctx context.Context, r CallRequest) (json.RawMessage, error) {
	return c.raw(ctx, post("/v1/call").with(r))
}
