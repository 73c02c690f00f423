package configs_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"majordomo/configs"
)

// connector is a model connector of the example feed as a plain process, with the strictest of clients before it:
// every line it prints has to be the answer that is due.
type connector struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string // what it printed; closed at the end of its output
	last  int         // id of the last request
}

// unpack writes a connector's folder where it can keep something beside its files.
func unpack(t *testing.T, id string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "feed")
	if err := os.CopyFS(dir, configs.ExampleFeed()); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, id)
}

// start runs the connector in dir, as its manifest says.
func start(t *testing.T, dir string) *connector {
	t.Helper()
	var m struct {
		Config struct {
			Command string
			Args    []string
		} `json:"mcp_config"`
	}
	document(t, &m, filepath.Base(dir), "connector.json")
	cmd := exec.Command(m.Config.Command, m.Config.Args...)
	cmd.Dir = dir
	cmd.Stderr = t.Output()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &connector{t: t, cmd: cmd, stdin: stdin, lines: make(chan string)}
	go c.read(stdout)
	t.Cleanup(c.kill)
	c.handshake()
	return c
}

func (c *connector) read(stdout io.Reader) {
	defer close(c.lines)
	in := bufio.NewScanner(stdout)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		c.lines <- in.Text()
	}
}

// kill ends what a failed test left running.
func (c *connector) kill() {
	if c.cmd.ProcessState != nil {
		return
	}
	_ = c.cmd.Process.Kill()
	for range c.lines {
	}
	_ = c.cmd.Wait()
}

func (c *connector) handshake() {
	c.t.Helper()
	r := c.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	var hello struct {
		ProtocolVersion string
		Capabilities    map[string]any
		ServerInfo      struct{ Name string }
	}
	c.decode(r.Result, &hello)
	if hello.ProtocolVersion == "" || hello.Capabilities["tools"] == nil || hello.ServerInfo.Name == "" {
		c.t.Fatalf("initialize answered %s", r.Result)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// reply is one JSON-RPC response.
type reply struct {
	JSONRPC string
	ID      int
	Result  json.RawMessage
	Error   *struct {
		Code    int
		Message string
	}
}

func (c *connector) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.stdin, line+"\n"); err != nil {
		c.t.Fatalf("cannot write to the connector: %v", err)
	}
}

// ask sends a request; the very next line has to be its answer.
func (c *connector) ask(method, params string) reply {
	c.t.Helper()
	c.last++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.last, "method": method, "params": json.RawMessage(params)})
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(request))
	var r reply
	c.decode([]byte(c.line()), &r)
	if r.JSONRPC != "2.0" || r.ID != c.last || (r.Result == nil) == (r.Error == nil) {
		c.t.Fatalf("%s got an answer that is not its own: %+v", method, r)
	}
	return r
}

func (c *connector) line() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatal("the connector ended")
		}
		return line
	case <-time.After(30 * time.Second):
		c.t.Fatal("the connector does not answer")
	}
	return ""
}

// call calls a tool and returns its text and whether it says that it failed.
func (c *connector) call(tool, args string) (text string, failed bool) {
	c.t.Helper()
	r := c.ask("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`)
	if r.Error != nil {
		c.t.Fatalf("%s answered with a protocol error: %s", tool, r.Error.Message)
	}
	var result struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	c.decode(r.Result, &result)
	if len(result.Content) != 1 || result.Content[0].Type != "text" || result.Content[0].Text == "" {
		c.t.Fatalf("%s answered %s", tool, r.Result)
	}
	return result.Content[0].Text, result.IsError
}

// works calls a tool that has to succeed and say want.
func (c *connector) works(tool, args, want string) string {
	c.t.Helper()
	text, failed := c.call(tool, args)
	if failed || !strings.Contains(text, want) {
		c.t.Fatalf("%s(%s) answered %q (failed: %v), want %q in it", tool, args, text, failed, want)
	}
	return text
}

// fails calls a tool that has to fail with a sentence that says want.
func (c *connector) fails(tool, args, want string) {
	c.t.Helper()
	text, failed := c.call(tool, args)
	if !failed || !strings.Contains(text, want) {
		c.t.Fatalf("%s(%s) answered %q (failed: %v), want a failure with %q in it", tool, args, text, failed, want)
	}
}

// end closes stdin: the connector has to go, with nothing more to say and code 0.
func (c *connector) end() {
	c.t.Helper()
	c.stdin.Close()
	for line := range c.lines {
		c.t.Errorf("printed at the end: %s", line)
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("ended with %v", err)
	}
}

func (c *connector) decode(text []byte, into any) {
	c.t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		c.t.Fatalf("cannot read %q: %v", text, err)
	}
}
