package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"majordomo/install/author"
	"majordomo/supervisor/api"
)

// daemon is a real one with a state directory of its own, and a feed that was made for it.
type daemon struct {
	*api.Client
	process *exec.Cmd
}

// startDaemon compiles the feed and serves it.
func startDaemon(ctx context.Context, place, feed string) (*daemon, error) {
	index, err := author.Compile(feed)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(feed, "connectors.json"), index, 0o644); err != nil {
		return nil, err
	}
	return serveAgain(ctx, place, feed)
}

// settings are the defaults, but for how many connectors one member may have.
const settings = "[limits]\nmember_instances = 64\n"

// serveAgain serves a feed that is compiled. It returns when the daemon is ready, which does not wait for connectors.
func serveAgain(ctx context.Context, place, feed string) (*daemon, error) {
	state, config := filepath.Join(place, "state"), filepath.Join(place, "config.toml")
	if err := os.WriteFile(config, []byte(settings), 0o644); err != nil {
		return nil, err
	}
	d := &daemon{process: exec.CommandContext(ctx, cmp.Or(os.Getenv("MAJORDOMO_BIN"), "bin/majordomo"), "serve", "--json", "--config", config,
		"--state", state, "--feed", feed, "--listen", "127.0.0.1:0")}
	d.process.Cancel = func() error { return d.process.Process.Signal(syscall.SIGTERM) }
	log, err := os.Create(filepath.Join(place, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	d.process.Stderr = log
	out, err := d.process.StdoutPipe()
	if err == nil {
		err = d.process.Start()
	}
	if err != nil {
		return nil, err
	}
	var ready struct{ Socket string }
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&ready); err != nil {
		said, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("the daemon does not start: %s", said)
	}
	d.Client = api.NewClient(ready.Socket)
	return d, nil
}

func (d *daemon) stop() {
	_ = d.process.Process.Signal(syscall.SIGTERM)
	_ = d.process.Wait()
}

// connector writes one into a feed that has no other.
func connector(feed, id, command, entry string, files map[string]string) error {
	if err := oneOf(feed, id, command, entry, files); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(feed, "index.json"), fmt.Appendf(nil, "[%q]", id), 0o644)
}

// oneOf writes one into a feed, but not its name into the index.
func oneOf(feed, id, command, entry string, files map[string]string) error {
	files["connector.json"] = fmt.Sprintf(`{"id": %[1]q, "name": %[1]q, "version": 1, "version_string": "1.0.0", "type": "mcp_local",
  "scope": "user", "transport": "stdio", "auth": {"type": "none"}, "mcp_config": {"command": %[2]q, "args": [%[3]q]}}`, id, command, entry)
	files["fragment.json"] = fmt.Sprintf(`{"id": %[1]q, "name": %[1]q, "version": 1, "version_string": "1.0.0", "type": "mcp_local",
  "scope": "user", "folder": %[1]q, "user_description": "Is measured."}`, id)
	for name, text := range files {
		file := filepath.Join(feed, id, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
