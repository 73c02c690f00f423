package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// versions are the revisions of MCP that a handshake may end with.
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// initialize starts the connector and shakes hands.
func (t *trial) initialize(ctx context.Context) (string, error) {
	wire, err := t.start(ctx)
	if err != nil {
		return "", &startError{err}
	}
	t.wire = wire
	r, err := wire.ask("initialize",
		`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"majordomo author test","version":"1"}}`, t.firstAnswer())
	if err != nil {
		return "", err
	}
	hello, err := object("initialize", r)
	if err != nil {
		return "", err
	}
	var said struct {
		ProtocolVersion string
		Capabilities    map[string]json.RawMessage
		ServerInfo      struct{ Name, Version string }
	}
	text, _ := json.Marshal(hello) // came out of JSON
	switch err := json.Unmarshal(text, &said); {
	case err != nil:
		return "", fmt.Errorf("the result of initialize has not its shape: %v", err)
	case !slices.Contains(versions, said.ProtocolVersion):
		return "", fmt.Errorf("protocolVersion is %q, want one of %s", said.ProtocolVersion, strings.Join(versions, ", "))
	case said.Capabilities["tools"] == nil:
		return "", errors.New("capabilities has no tools, so clients need not ask for them")
	case said.ServerInfo.Name == "":
		return "", errors.New("serverInfo has no name")
	}
	return fmt.Sprintf("%s %s speaks %s", said.ServerInfo.Name, said.ServerInfo.Version, said.ProtocolVersion), nil
}
