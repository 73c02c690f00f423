package e2e

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// asks are commands of the ordinary clients that succeed only when their registry answers.
var asks = map[string][]string{
	"npm":  {"npm", "view", "@modelcontextprotocol/server-everything", "version"},
	"pypi": {"python3", "-m", "pip", "download", "--no-deps", "--no-cache-dir", "mcp-server-time"},
}

// reachable asks a registry with its ordinary client, outside any sandbox.
func reachable(t *testing.T, registry string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	ask := exec.CommandContext(ctx, asks[registry][0], asks[registry][1:]...)
	ask.Dir = t.TempDir()
	return ask.Run() == nil
}

// needRegistry skips a test by name where a registry cannot be reached.
func needRegistry(t *testing.T, registry string) {
	t.Helper()
	if !reachable(t, registry) {
		t.Skipf("%s skipped: the %s registry cannot be reached", t.Name(), registry)
	}
}
