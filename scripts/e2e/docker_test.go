package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// Containers on a base image made with debootstrap: nothing is pulled. They share the host's network, to
// reach the registries as the host does.
func TestDocker(t *testing.T) {
	if os.Getenv("MAJORDOMO_LONG") == "" {
		t.Skip("TestDocker skipped: it takes minutes; ./scripts/test --long runs it")
	}
	needEngine(t)
	e := startEngine(t)
	e.importBase()
	t.Run("image", func(t *testing.T) { e.with(t).demoInImage() })
	t.Run("driver", func(t *testing.T) { e.with(t).inContainers() })
	t.Run("fresh machine", func(t *testing.T) { e.with(t).runOnFreshMachine() })
}

// demoInImage runs the demo in a container of our own Dockerfile.
func (e engine) demoInImage() {
	e.t.Helper()
	e.docker("build", "--network=host", "--build-arg", "BASE=majordomo-base", "-t", "majordomo", buildContext(e.t))
	out := e.docker(slices.Concat(runWithStore(), []string{"majordomo", "demo", "--json"})...)
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil || !r.OK || len(r.Connectors) != 5 {
		e.t.Fatalf("the demo in the container: %v\n%s", err, out)
	}
	for _, c := range r.Connectors {
		e.t.Logf("%s: skipped %v, layers %v", c.ID, c.Skipped, c.Sandbox.Layers)
	}
}

// runOnFreshMachine types the README's first command on a machine that has Go and nothing else.
func (e engine) runOnFreshMachine() {
	e.t.Helper()
	args := append(runWithStore(), "-v", checkout(e.t)+":/src", "-w", "/src",
		"-v", goEnv(e.t, "GOROOT")+":/usr/local/go:ro", "-v", goEnv(e.t, "GOMODCACHE")+":/root/go/pkg/mod",
		"-e", "GOPROXY="+goEnv(e.t, "GOPROXY"), "majordomo-base", "./scripts/run")
	if out := e.docker(args...); !strings.Contains(out, "The demo succeeded.") {
		e.t.Errorf("./scripts/run on a fresh machine:\n%s", out)
	}
}

// runWithStore lends a container this host's certificate store, for the registries' sake.
func runWithStore() []string {
	const store = "/etc/ssl/certs/ca-certificates.crt"
	return append([]string{"run", "--rm", "--network=host", "-v", store + ":" + store + ":ro",
		"-e", "npm_config_cafile=" + store, "-e", "PIP_CERT=" + store}, inContainer...)
}

// checkout is a copy of the files that git knows, to build in.
func checkout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("sh", "-c", `cd ../.. && git ls-files -z | tar --null -T - -cf - | tar -C "$1" -xf -`, "sh", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("cannot copy the checkout: %v\n%s", err, out)
	}
	return dir
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
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
