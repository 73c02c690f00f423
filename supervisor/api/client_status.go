package api

import "context"

// Version asks who answers.
func (c *Client) Version(ctx context.Context) (Version, error) {
	return ask[Version](ctx, c, get("/v1/version"))
}

// Status lists the daemon's instances.
func (c *Client) Status(ctx context.Context) (Status, error) {
	return ask[Status](ctx, c, get("/v1/status"))
}

// Doctor asks what the host can do. With selfTest a program tries, in a sandbox, what none may permit.
func (c *Client) Doctor(ctx context.Context, selfTest bool) (Doctor, error) {
	return ask[Doctor](ctx, c, get("/v1/doctor").flag("self_test", selfTest))
}

// Events hands out what happened lately; with follow it goes on until ctx ends.
func (c *Client) Events(ctx context.Context, follow bool, event func(Event)) error {
	_, err := watch[Event, none](ctx, c, get("/v1/events").flag("follow", follow), event)
	return err
}
