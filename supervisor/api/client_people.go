package api

import "context"

// Members lists the household.
func (c *Client) Members(ctx context.Context) ([]Member, error) {
	return ask[[]Member](ctx, c, get("/v1/members"))
}

// AddMember adds a person.
func (c *Client) AddMember(ctx context.Context, m Member) (Member, error) {
	return ask[Member](ctx, c, post("/v1/members").with(m))
}

// CreateToken makes an agent token for a member.
func (c *Client) CreateToken(ctx context.Context, r TokenRequest) (NewToken, error) {
	return ask[NewToken](ctx, c, post("/v1/tokens").with(r))
}

// Tokens lists the agent tokens the caller may see.
func (c *Client) Tokens(ctx context.Context) ([]Token, error) {
	return ask[[]Token](ctx, c, get("/v1/tokens"))
}

// RevokeToken makes a token worthless.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return tell(ctx, c, remove("/v1/tokens", id))
}
