package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// protocolVersion is what we ask for. Pinning it keeps mcp-go's client from
// probing with server/discover first, which some servers do not survive.
const protocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION

// handshake is the Conn during one, and remembers what the last request was
// refused with.
type handshake struct {
	*Conn
	refusal *mcp.JSONRPCErrorDetails // nil for none
}

// SendRequest is the Conn's, with an answer that mcp-go can read.
func (h *handshake) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	h.refusal = nil
	response, err := h.Conn.SendRequest(ctx, r)
	switch {
	case err != nil:
	case response.Error != nil:
		h.refusal = response.Error
	default:
		response.Result = fitting(r.Method, response.Result)
	}
	return response, err
}

// initialize opens the session with the newest version that both sides know.
// Most connectors offer theirs in return; one that refuses ours is asked again.
func (s *Session) initialize(ctx context.Context, info Info) error {
	h := &handshake{Conn: s.conn}
	first := protocolVersion
	if info.Modern {
		first = mcp.LATEST_PROTOCOL_VERSION
	}
	err := s.hello(ctx, h, info, first)
	if err == nil || h.refusal == nil {
		return err
	}
	refused := *h.refusal
	if second := versionAfter(refused); s.hello(ctx, h, info, second) == nil {
		return nil
	}
	if refused.Data != nil {
		err = fmt.Errorf("%w; it adds %s", err, cut(fmt.Sprintf("%s", refused.Data), noiseLine))
	}
	return fmt.Errorf("%w; known are %s", err, strings.Join(mcp.ValidProtocolVersions, ", "))
}

// aDate matches versions of the protocol.
var aDate = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// versionAfter is what to ask for after a refusal: the newest version that it
// names, wherever it does so; the era without initialize if that is not known;
// or else the oldest version.
func versionAfter(refused mcp.JSONRPCErrorDetails) string {
	names := aDate.FindAllString(fmt.Sprintf("%s %s", refused.Message, refused.Data), -1)
	known := mcp.LegacyProtocolVersions() // the newest first
	for _, version := range append(known[1:], mcp.LATEST_PROTOCOL_VERSION) {
		if slices.Contains(names, version) {
			return version
		}
	}
	if refused.Code == methodNotFound || refused.Code == mcp.UNSUPPORTED_PROTOCOL_VERSION {
		return mcp.LATEST_PROTOCOL_VERSION
	}
	return known[len(known)-1]
}

// hello opens the session in one version; from 2026-07-28 on by server/discover,
// and by initialize if that is not answered.
func (s *Session) hello(ctx context.Context, h *handshake, info Info, version string) error {
	c := client.NewClient(h)
	if err := c.Start(ctx); err != nil {
		return fmt.Errorf("cannot start the session: %w", err)
	}
	var request mcp.InitializeRequest
	request.Params.ProtocolVersion = version
	request.Params.ClientInfo = mcp.Implementation{Name: info.Name, Version: info.Version}
	result, err := c.Initialize(ctx, request)
	switch unknown, ok := errors.AsType[mcp.UnsupportedProtocolVersionError](err); {
	case ok && h.refusal == nil:
		return fmt.Errorf("cannot start the session: the connector speaks protocol version %q; known are %s: %w",
			unknown.Version, strings.Join(mcp.ValidProtocolVersions, ", "), err)
	case err != nil && h.refusal != nil:
		return fmt.Errorf("cannot start the session: the connector refused to initialize: %w", err)
	case err != nil:
		return fmt.Errorf("cannot start the session: %w", err)
	}
	s.server = *result
	if s.modern = mcp.IsModernProtocol(result.ProtocolVersion); s.modern {
		h.meta = requestMeta(result.ProtocolVersion, request.Params.ClientInfo)
	}
	return nil
}

// requestMeta is what every request says from 2026-07-28 on, as members of its
// _meta.
func requestMeta(version string, who mcp.Implementation) []byte {
	meta, err := marshal(map[string]any{
		mcp.MetaKeyProtocolVersion: version, mcp.MetaKeyClientInfo: who, mcp.MetaKeyClientCapabilities: struct{}{},
	})
	if err != nil {
		panic(err) // strings only
	}
	return meta[1 : len(meta)-1]
}
