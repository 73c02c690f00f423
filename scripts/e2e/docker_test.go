package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inContainer are the permissions a container needs for sandboxes inside it: to make namespaces and
// mounts (SYS_ADMIN, and Docker's own filter and masks out of the way), and to set up the network
// of each sandbox (NET_ADMIN).
var inContainer = []string{
	"--cap-add", "SYS_ADMIN", "--cap-add", "NET_ADMIN",
	"--security-opt", "seccomp=unconfined", "--security-opt", "apparmor=unconfined", "--security-opt", "systempaths=unconfined",
}

// The demo runs in a container of our own Dockerfile, on a base image made with debootstrap: nothing
// is pulled. This host's certificate store goes along, for the registries' sake.
func TestDocker(t *testing.T) {
	if os.Getenv("MAJORDOMO_LONG") == "" {
		t.Skip("TestDocker skipped: it takes minutes; ./scripts/test --long runs it")
	}
	needEngine(t)
	e := startEngine(t)
	e.importBase()
	e.docker("build", "--network=host", "--build-arg", "BASE=majordomo-base", "-t", "majordomo", buildContext(t))

	const store = "/etc/ssl/certs/ca-certificates.crt"
	args := append([]string{"run", "--rm", "--network=host", "-v", store + ":" + store + ":ro",
		"-e", "npm_config_cafile=" + store, "-e", "PIP_CERT=" + store}, inContainer...)
	out := e.docker(append(args, "majordomo", "demo", "--json")...)
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil || !r.OK || len(r.Connectors) != 5 {
		t.Fatalf("the demo in the container: %v\n%s", err, out)
	}
	for _, c := range r.Connectors {
		t.Logf("%s: skipped %v, layers %v", c.ID, c.Skipped, c.Sandbox.Layers)
	}
}

// buildContext is a folder with what the Dockerfile copies.
func buildContext(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Dir(os.Getenv("MAJORDOMO_BIN"))
	for from, to := range map[string]string{
		"../../Dockerfile": "Dockerfile", bin + "/majordomo": "bin/majordomo", bin + "/majordomo-init": "bin/majordomo-init",
	} {
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", from, to).CombinedOutput(); err != nil {
			t.Fatalf("cp %s: %s", from, out)
		}
	}
	return dir
}

// needEngine installs Debian's Docker engine and debootstrap, or skips the test by name.
func needEngine(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("TestDocker skipped: starting a Docker engine needs root")
	}
	_, noEngine := exec.LookPath("dockerd")
	_, noStrap := exec.LookPath("debootstrap")
	if noEngine == nil && noStrap == nil {
		return
	}
	install := exec.CommandContext(t.Context(), "sh", "-c",
		"apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends docker.io debootstrap")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("TestDocker skipped: Debian's docker.io and debootstrap cannot be installed: %v\n%s", err, last(out))
	}
}

func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
