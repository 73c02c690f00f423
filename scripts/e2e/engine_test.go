package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"majordomo/sandbox/docker/dockertest"
)

// engine is a Docker engine of this test's own, as one of its subtests sees it.
type engine struct {
	*dockertest.Engine
	t *testing.T
}

func startEngine(t *testing.T) engine {
	t.Helper()
	return engine{dockertest.Start(t), t}
}

// with is the engine as a subtest sees it.
func (e engine) with(t *testing.T) engine { return engine{e.Engine, t} }

func (e engine) docker(args ...string) string {
	e.t.Helper()
	cmd := e.Command(args...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		e.t.Fatalf("docker %s: %v\n%s%s", args[0], err, out, errs.String())
	}
	return string(out)
}

// importBase makes a minimal Debian of this host's own release and mirror.
func (e engine) importBase() {
	e.t.Helper()
	dir := e.t.TempDir()
	script := `set -e
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 'Origin: Debian' | head -n 1)
. /etc/os-release
debootstrap --variant=minbase --include=ca-certificates "$VERSION_CODENAME" "$1/base" "$mirror" >"$1/log" 2>&1 || { tail -n 5 "$1/log"; exit 1; }
tar -C "$1/base" -cf - . | /usr/bin/docker import - majordomo-base`
	cmd := exec.CommandContext(e.t.Context(), "sh", "-c", script, "sh", dir)
	cmd.Env = e.Command().Env
	if out, err := cmd.CombinedOutput(); err != nil {
		e.t.Fatalf("cannot make the base image: %v\n%s", err, last(out))
	}
}
