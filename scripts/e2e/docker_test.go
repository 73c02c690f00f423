package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"majordomo/sandbox/docker/dockertest"
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
	e := dockertest.Start(t, "debootstrap")
	importDebian(t, e, "majordomo-base")
	t.Run("image", func(t *testing.T) { demoInImage(t, e.With(t)) })
	t.Run("driver", func(t *testing.T) { demoInContainers(t, e.With(t)) })
	t.Run("fresh machine", func(t *testing.T) { runOnFreshMachine(t, e.With(t)) })
}

// demoInImage runs the demo in a container of our own Dockerfile.
func demoInImage(t *testing.T, e *dockertest.Engine) {
	t.Helper()
	e.Docker("build", "--network=host", "--build-arg", "BASE=majordomo-base", "-t", "majordomo", buildContext(t))
	out := e.Docker(slices.Concat(runWithStore(), []string{"majordomo", "demo", "--json"})...)
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil || !r.OK || len(r.Connectors) != 5 {
		t.Fatalf("the demo in the container: %v\n%s", err, out)
	}
	for _, c := range r.Connectors {
		t.Logf("%s: skipped %v, layers %v", c.ID, c.Skipped, c.Sandbox.Layers)
	}
}

// runOnFreshMachine types the README's first command on a machine that has Go and nothing else.
func runOnFreshMachine(t *testing.T, e *dockertest.Engine) {
	t.Helper()
	args := append(runWithStore(), "-v", checkout(t)+":/src", "-w", "/src",
		"-v", goEnv(t, "GOROOT")+":/usr/local/go:ro", "-v", goEnv(t, "GOMODCACHE")+":/root/go/pkg/mod",
		"-e", "GOPROXY="+goEnv(t, "GOPROXY"), "majordomo-base", "./scripts/run")
	if out := e.Docker(args...); !strings.Contains(out, "The demo succeeded.") {
		t.Errorf("./scripts/run on a fresh machine:\n%s", out)
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

// importDebian makes a minimal Debian of this host's own release and mirror.
func importDebian(t *testing.T, e *dockertest.Engine, image string) {
	t.Helper()
	dir := t.TempDir()
	script := `set -e
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 'Origin: Debian' | head -n 1)
. /etc/os-release
debootstrap --variant=minbase --include=ca-certificates "$VERSION_CODENAME" "$1/base" "$mirror" >"$1/log" 2>&1 || { tail -n 5 "$1/log"; exit 1; }
tar -C "$1/base" -cf - . | /usr/bin/docker import - "$2"`
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script, "sh", dir, image)
	cmd.Env = e.Command().Env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("cannot make the base image: %v\n%s", err, out)
	}
}
