package configs_test

import "testing"

// The server contract (guide §2), for the connectors that authors are meant to copy.
func TestModelConnectorsKeepTheContract(t *testing.T) {
	for _, id := range []string{"notes", "pairing"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c := start(t, unpack(t, id))
			t.Run("tools", func(t *testing.T) { checkTools(t, c) })
			t.Run("errors", func(t *testing.T) { checkErrors(t, c) })
			t.Run("silence", func(t *testing.T) { checkSilence(t, c) })
			c.end()
		})
	}
}

func checkTools(t *testing.T, c *connector) {
	var list struct {
		Tools []struct {
			Name, Title, Description string
			InputSchema              struct{ Type string }
		}
	}
	c.decode(c.ask("tools/list", `{}`).Result, &list)
	if len(list.Tools) < 3 {
		t.Fatalf("lists %d tools", len(list.Tools))
	}
	for _, tool := range list.Tools {
		if tool.Name == "" || tool.Title == "" || tool.Description == "" || tool.InputSchema.Type != "object" {
			t.Errorf("tool %+v is incomplete", tool)
		}
	}
}

func checkErrors(t *testing.T, c *connector) {
	if r := c.ask("ping", `{}`); string(r.Result) != "{}" {
		t.Errorf("ping answered %s", r.Result)
	}
	for method, params := range map[string]string{
		"resources/list":        `{}`,
		"toString":              `{}`, // what an object has by nature is no method
		"notifications/unknown": `{}`, // with an id it is a request all the same
	} {
		if r := c.ask(method, params); r.Error == nil || r.Error.Code != -32601 {
			t.Errorf("%s answered %s %+v, want error -32601", method, r.Result, r.Error)
		}
	}
	for _, params := range []string{`{"name":"nothing"}`, `{"name":7}`, `{}`, `[]`, `null`, `{"name":"__proto__","arguments":{}}`} {
		if r := c.ask("tools/call", params); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("tools/call %s answered %s %+v, want error -32602", params, r.Result, r.Error)
		}
	}
}

// checkSilence sends what must not be answered; the next line is then that of the ping.
func checkSilence(t *testing.T, c *connector) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/of/the/future"}`,
		`{"jsonrpc":"2.0","method":"tools/list"}`, // a request without an id is a notification
		`{"jsonrpc":"2.0","method":"no/such/method"}`,
		`{"jsonrpc":"2.0","id":99,"result":{}}`, // an answer to nothing we asked
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		`not JSON`, `[]`, `null`, `7`, `"text"`, ``, `   `, "\xff\xfe",
	} {
		c.send(line)
	}
	if r := c.ask("ping", `{}`); r.Error != nil {
		t.Errorf("ping answered %+v", r.Error)
	}
}
