package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"majordomo/supervisor/api"
)

// many is how many connectors a member has who has many.
const many = 50

// server is a whole connector, of the kind that somebody writes who wants one tool.
const server = `
const tools = [{ name: "echo", description: "Answers.", inputSchema: { type: "object" } }];
const said = { content: [{ type: "text", text: "xx" }] };
const info = {
  protocolVersion: "2024-11-05",
  capabilities: { tools: {} },
  serverInfo: { name: "one-of-many", version: "1" },
};
const answers = {
  "initialize": () => info,
  "tools/list": () => ({ tools }),
  "tools/call": () => said,
  "ping": () => ({}),
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method] && answers[method]();
  const reply = result ? { result } : { error: { code: -32601, message: "no such method" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
});
`

// withConnectors makes a state directory in which one member has activated so many connectors, all running; no daemon runs.
func withConnectors(ctx context.Context, place string, n int) (feed string, err error) {
	feed = filepath.Join(place, "feed")
	var ids []string
	for i := range n {
		ids = append(ids, "one-of-many-"+strconv.Itoa(i))
		if err := oneOf(feed, ids[i], "node", "index.js", map[string]string{"index.js": server}); err != nil {
			return "", err
		}
	}
	index, err := json.Marshal(append([]string{}, ids...))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(feed, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(feed, "index.json"), index, 0o644); err != nil {
		return "", err
	}
	d, err := startDaemon(ctx, place, feed)
	if err != nil {
		return "", err
	}
	defer d.stop()
	if _, err := d.AddMember(ctx, api.Member{Name: "measured"}); err != nil {
		return "", err
	}
	for _, id := range ids {
		if _, err := d.Install(ctx, api.InstallRequest{Connector: id}, nil); err != nil {
			return "", err
		}
		act, err := d.Activate(ctx, api.ActivationRequest{Member: "measured", Connector: id}, nil)
		if err != nil || act.State != "ready" {
			return "", fmt.Errorf("%s is %s: %s %w", id, act.State, act.Reason, err)
		}
	}
	return feed, nil
}

// allReady returns when so many connectors can be called.
func (d *daemon) allReady(ctx context.Context, n int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	up, failed := 0, ""
	err := d.Events(ctx, true, func(e api.Event) {
		switch e.To {
		case "ready":
			up++
		case "backoff", "failed":
			failed = e.Connector + ": " + e.Text
		}
		if up == n || failed != "" {
			cancel()
		}
	})
	switch {
	case failed != "":
		return fmt.Errorf("a connector does not start: %s", failed)
	case up == n:
		return nil
	}
	return fmt.Errorf("%d of %d connectors started: %w", up, n, err)
}

// status reads numbers of /proc/PID/status, in bytes.
func (d *daemon) status(name string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, value, _ := strings.Cut(string(text), "\n"+name+":")
	value, _, _ = strings.Cut(value, " kB\n")
	kib, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	return kib << 10, err
}
