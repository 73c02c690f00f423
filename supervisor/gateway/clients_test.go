package gateway

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdk connects the official Go SDK as a member's agent.
func sdk(t *testing.T, url, member string, changed func()) *gosdk.ClientSession {
	t.Helper()
	c := gosdk.NewClient(&gosdk.Implementation{Name: "test", Version: "1"}, &gosdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *gosdk.ToolListChangedRequest) { changed() },
	})
	session, err := c.Connect(within(t), &gosdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(member)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func toolNames(t *testing.T, s *gosdk.ClientSession) string {
	t.Helper()
	list, err := s.ListTools(within(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// The official SDK lists and calls, and hears of changes; one member's agents
// never see what is another's.
func TestOfficialSDK(t *testing.T) {
	h, url := serve(t)
	news := map[string]chan bool{"ann": make(chan bool, 10), "bob": make(chan bool, 10)}
	ann := sdk(t, url, "ann", func() { news["ann"] <- true })
	bob := sdk(t, url, "bob", func() { news["bob"] <- true })

	if got := toolNames(t, ann); got != "mcp__mail__read mcp__notes__add" {
		t.Errorf("ann sees %s", got)
	}
	if got := toolNames(t, bob); got != "mcp__bank__pay" {
		t.Errorf("bob sees %s", got)
	}
	result, err := ann.CallTool(within(t), &gosdk.CallToolParams{Name: "mcp__mail__read", Arguments: map[string]any{"n": 1}})
	if err != nil || result.Content[0].(*gosdk.TextContent).Text != `ann mcp__mail__read {"n":1}` {
		t.Errorf("result %v, %v", result, err)
	}

	h.add("ann", tool("mcp__new__tool"))
	<-news["ann"]
	if got := toolNames(t, ann); !strings.HasSuffix(got, " mcp__new__tool") {
		t.Errorf("ann sees %s after the change", got)
	}
	h.add("bob", tool("mcp__other__tool"))
	<-news["bob"]
	if len(news["ann"]) != 0 || len(news["bob"]) != 0 {
		t.Error("news of one member reached the other")
	}
	if err := ann.Ping(within(t), nil); err != nil {
		t.Errorf("ping: %v", err)
	}
}

// Agents that read one page only get everything: there is no other.
func TestOnePage(t *testing.T) {
	h, url := serve(t)
	for n := range 500 {
		h.add("ann", tool(fmt.Sprint("mcp__many__", n)))
	}
	for _, params := range []string{`{}`, `{"cursor":null}`, `{"cursor":"of somebody else"}`} {
		status, body, _ := send(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":`+params+`}`)
		if got := strings.Count(body, `"name":"mcp__`); status != 200 || got != 502 || strings.Contains(body, "nextCursor") {
			t.Errorf("%s: %d, %d tools, %.200s", params, status, got, body)
		}
	}
}

// mcp-go's own client settles on the newest version with sessions and lists and calls.
func TestMCPGoClient(t *testing.T) {
	_, url := serve(t)
	c, err := mcpgo.NewStreamableHttpClient(url, transport.WithHTTPBasicClient(&http.Client{Transport: bearer("ann")}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Start(within(t)); err != nil {
		t.Fatal(err)
	}
	hello, err := c.Initialize(within(t), mcp.InitializeRequest{})
	if err != nil || hello.ProtocolVersion != "2025-11-25" || hello.ServerInfo.Name != "majordomo" {
		t.Fatalf("initialize: %+v, %v", hello, err)
	}
	list, err := c.ListTools(within(t), mcp.ListToolsRequest{})
	if err != nil || len(list.Tools) != 2 || list.Tools[0].Title != "Title of mcp__mail__read" {
		t.Errorf("tools %+v, %v", list, err)
	}
	var request mcp.CallToolRequest
	request.Params.Name = "mcp__notes__add"
	result, err := c.CallTool(within(t), request)
	if err != nil || result.Content[0].(mcp.TextContent).Text != "ann mcp__notes__add " {
		t.Errorf("result %v, %v", result, err)
	}
}

// Two agents of different members use the same ids at the same time; no answer
// crosses over.
func TestAnswersNeverCross(t *testing.T) {
	_, url := serve(t)
	var agents sync.WaitGroup
	for _, member := range []string{"ann", "bob"} {
		session := sdk(t, url, member, func() {})
		agents.Go(func() {
			var calls sync.WaitGroup
			for i := range 50 {
				calls.Go(func() {
					result, err := session.CallTool(within(t), &gosdk.CallToolParams{Name: "x", Arguments: map[string]any{"i": i}})
					if want := fmt.Sprintf(`%s x {"i":%d}`, member, i); err != nil || result.Content[0].(*gosdk.TextContent).Text != want {
						t.Errorf("result %v, %v; want %s", result, err, want)
					}
				})
			}
			calls.Wait()
		})
	}
	agents.Wait()
}
