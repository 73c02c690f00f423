package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// protocolVersion is what we ask for. Pinning it keeps mcp-go's client from
// probing with server/discover first, which some servers do not survive.
const protocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION

// handshake is the Conn during one, and remembers what initialize was refused
// with.
type handshake struct {
	*Conn
	refusal json.RawMessage // data of the error; nil for none
}

// SendRequest is the Conn's.
func (h *handshake) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	response, err := h.Conn.SendRequest(ctx, r)
	if err == nil && response.Error != nil {
		h.refusal, _ = response.Error.Data.(json.RawMessage) // nil when there is none
	}
	return response, err
}

// initialize opens the session with the newest version that both sides know.
// Most connectors offer theirs in return; one that refuses ours with a list of
// its own is asked once more.
func (s *Session) initialize(ctx context.Context, info Info) error {
	h := &handshake{Conn: s.conn}
	err := s.hello(ctx, h, info, protocolVersion)
	theirs := supported(h.refusal)
	if err == nil || len(theirs) == 0 {
		return err
	}
	for _, version := range mcp.LegacyProtocolVersions() { // the newest first
		if slices.Contains(theirs, version) {
			return s.hello(ctx, h, info, version)
		}
	}
	return fmt.Errorf("%w: the connector speaks %q; known are %s", err, theirs, strings.Join(mcp.ValidProtocolVersions, ", "))
}

func (s *Session) hello(ctx context.Context, h *handshake, info Info, version string) error {
	c := client.NewClient(h, client.WithProtocolVersion(version))
	if err := c.Start(ctx); err != nil {
		return fmt.Errorf("cannot start the session: %w", err)
	}
	var request mcp.InitializeRequest
	request.Params.ClientInfo = mcp.Implementation{Name: info.Name, Version: info.Version}
	result, err := c.Initialize(ctx, request)
	var unknown mcp.UnsupportedProtocolVersionError
	if errors.As(err, &unknown) {
		return fmt.Errorf("cannot start the session: the connector speaks protocol version %q; known are %s: %w",
			unknown.Version, strings.Join(mcp.ValidProtocolVersions, ", "), err)
	}
	if err != nil {
		return fmt.Errorf("cannot start the session: %w", err)
	}
	s.server = *result
	return nil
}

// supported returns the versions that a refusal names.
func supported(refusal json.RawMessage) []string {
	var data struct {
		Supported []string `json:"supported"`
	}
	if unmarshal(refusal, &data) != nil {
		return nil
	}
	return data.Supported
}
