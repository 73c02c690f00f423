package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"majordomo/supervisor/api"
)

// large is a dependency with many packages below it, at a version that stays.
const large = `{"name": "large", "version": "1.0.0", "private": true, "dependencies": {"@whiskeysockets/baileys": "7.0.0-rc14"}}`

// quick answers as soon as it has seen that its dependency is there: what is measured is the way to a connector, not the
// connector.
const quick = `
require.resolve("@whiskeysockets/baileys/package.json");
const tools = [{ name: "nothing", description: "Does nothing.", inputSchema: { type: "object" } }];
const info = { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo: { name: "large", version: "1" } };
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = { initialize: info, "tools/list": { tools } }[method] ?? {};
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`

// measureActivation: from the request to the tools listed, in the daemon, for a member who has not had the connector
// before. Against it stands npm ci of the same lockfile into an empty folder, outside any sandbox, with all it needs in
// its cache.
func measureActivation(ctx context.Context, place string, rounds int) (result, error) {
	place = filepath.Join(place, "activation")
	feed := filepath.Join(place, "feed")
	if err := connector(feed, "large", "node", "index.js", map[string]string{"package.json": large, "index.js": quick}); err != nil {
		return result{}, err
	}
	source, cache := filepath.Join(feed, "large"), filepath.Join(place, "cache")
	npm := func(dir string, args ...string) error {
		cmd := exec.CommandContext(ctx, "npm", append(args, "--cache", cache, "--no-audit", "--no-fund", "--omit=dev")...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("npm: %w: %s", err, out)
		}
		return nil
	}
	if err := npm(source, "install", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved=true"); err != nil {
		return result{}, unmeasured{err}
	}
	d, err := startDaemon(ctx, place, feed)
	if err != nil {
		return result{}, err
	}
	defer d.stop()
	if _, err := d.Install(ctx, api.InstallRequest{Connector: "large"}, nil); err != nil {
		return result{}, err
	}
	activate := func(member string) (time.Duration, error) {
		if _, err := d.AddMember(ctx, api.Member{Name: member}); err != nil {
			return 0, err
		}
		var act api.Activation
		took, err := timed(func() (err error) {
			act, err = d.Activate(ctx, api.ActivationRequest{Member: member, Connector: "large"}, nil)
			return err
		})
		if err == nil && (act.State != "ready" || len(act.Tools) != 1) {
			err = fmt.Errorf("it is %s: %s", act.State, act.Reason)
		}
		if err != nil {
			return 0, err
		}
		return took, d.Deactivate(ctx, "large", member)
	}
	if _, err := activate("first"); err != nil {
		return result{}, err
	}
	ours, against, err := inTurn(ctx, rounds,
		func(round int) (time.Duration, error) { return activate(fmt.Sprintf("second%d", round)) },
		func(int) (time.Duration, error) { return freshCI(source, filepath.Join(place, "fresh"), npm) })
	if err != nil {
		return result{}, err
	}
	times := ratio(against, ours)
	return result{ours.String(), against.String(), fmt.Sprintf("%.0f times faster", times), times >= 20}, nil
}

// freshCI times npm ci in a folder with nothing but the two documents in it.
func freshCI(source, dir string, npm func(string, ...string) error) (time.Duration, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			return 0, err
		}
	}
	took, err := timed(func() error { return npm(dir, "ci") })
	if err != nil {
		return 0, err
	}
	return took, os.RemoveAll(dir)
}
