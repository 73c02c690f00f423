package demo

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// agent is an MCP client in front of /mcp, as a desktop agent is one.
type agent struct{ client *client.Client }

// connect opens a session with the member's token. The caller closes it.
func (d *demo) connect(ctx context.Context) (*agent, error) {
	headers := map[string]string{"Authorization": "Bearer " + d.token}
	c, err := client.NewStreamableHttpClient("http://"+d.listen+"/mcp", transport.WithHTTPHeaders(headers))
	if err != nil {
		return nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "majordomo-demo", Version: "1"}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	if err = c.Start(ctx); err == nil {
		_, err = c.Initialize(ctx, hello)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("cannot connect to /mcp: %w", err)
	}
	return &agent{c}, nil
}

func (a *agent) close() { a.client.Close() }

// tools lists the names of all tools that the agent may use.
func (a *agent) tools(ctx context.Context) ([]string, error) {
	list, err := a.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, fmt.Errorf("cannot list tools through /mcp: %w", err)
	}
	names := make([]string, len(list.Tools))
	for i, tool := range list.Tools {
		names[i] = tool.Name
	}
	return names, nil
}

// answer is what a tool said.
type answer struct {
	text   string
	failed bool // the tool says so
}

// call calls a tool by the name that agents see.
func (a *agent) call(ctx context.Context, tool string, args map[string]any) (answer, error) {
	var request mcp.CallToolRequest
	request.Params.Name = tool
	request.Params.Arguments = args
	result, err := a.client.CallTool(ctx, request)
	if err != nil {
		return answer{}, fmt.Errorf("cannot call %s through /mcp: %w", tool, err)
	}
	said := answer{failed: result.IsError}
	for _, c := range result.Content {
		if text, ok := mcp.AsTextContent(c); ok {
			said.text += text.Text
		}
	}
	return said, nil
}
