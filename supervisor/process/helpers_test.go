package process

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap/zaptest"

	"majordomo/configs"
	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/install"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
	"majordomo/sandbox/sandboxtest"
	"majordomo/supervisor"
	"majordomo/supervisor/vault"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// found is shared, so that each interpreter is asked once for all tests.
var found runtimes.Finder

// place is a state directory with a sandbox.
type place struct {
	*Launcher
	t     *testing.T
	host  *sandbox.Host
	paths configs.Paths
}

func newPlace(t *testing.T) place { return newPlaceBy(t, "") }

// newPlaceBy delivers in the way given, "" = the best that works.
func newPlaceBy(t *testing.T, way delivery.Way) place {
	t.Helper()
	// Not t.TempDir: below /tmp its parents are closed to other uids, as those of a
	// state directory are, and that must not matter.
	paths := configs.Paths{State: t.TempDir()}
	host, err := sandbox.New(sandbox.Options{StateDir: paths.State, Log: zaptest.NewLogger(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { // copies are read-only, also for the directory's own cleanup unless it is root's
		if err := deps.Remove(paths.Homes()); err != nil {
			t.Error(err)
		}
	})
	deliverer := delivery.New(delivery.Options{Paths: paths, Host: host, Force: way})
	return place{New(Options{Paths: paths, Sandbox: host, Runtimes: &found, Delivery: deliverer, Log: zaptest.NewLogger(t)}), t, host, paths}
}

// plan is a plan for a package with these files, run by python.
func (p place) plan(connector string, files map[string]string) supervisor.Plan {
	p.t.Helper()
	plan := supervisor.Plan{
		Member: "ann", Connector: connector, Name: connector,
		Values: map[string]string{"GREETING": "hi there"}, Secrets: map[string]vault.Secret{"TOKEN": vault.Conceal("s3cret-value")},
		Package: install.Package{Dir: p.paths.Connector(connector), Release: manifest.Release{
			ID: connector, Command: "python3", Args: []string{"server.py", "--flag", "two words"},
		}},
	}
	if os.Geteuid() == 0 {
		plan.UID, plan.GID = 310_000+len(connector), 310_100
	}
	for name, content := range files {
		path := filepath.Join(plan.Package.Dir, name)
		p.write(path, content)
		plan.Package.Release.Files = append(plan.Package.Release.Files, manifest.File{Path: name})
	}
	plan.Package.Digest = digest.Of([]byte(connector))
	return plan
}

func (p place) write(path, content string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) tree(plan *supervisor.Plan, nodeModules, pyDeps bool) {
	dir := p.paths.Tree("k")
	plan.Tree = deps.Tree{Key: "k", Dir: dir}
	if nodeModules {
		plan.Tree.NodeModules = filepath.Join(dir, "node_modules")
		p.write(filepath.Join(plan.Tree.NodeModules, "x", "index.js"), "module.exports = 7")
	}
	if pyDeps {
		plan.Tree.PyDeps = filepath.Join(dir, ".pydeps")
		p.write(filepath.Join(plan.Tree.PyDeps, "helper_from_tree.py"), "VALUE = 7")
	}
}

// sh runs a shell line where the connector would run, and returns what it printed.
func (p place) sh(plan supervisor.Plan, line string) string {
	p.t.Helper()
	out, err := p.try(plan, supervisor.Command{Shell: line})
	if err != nil {
		p.t.Fatal(err)
	}
	if out.Exit != (sandbox.Exit{}) {
		p.t.Errorf("%s: %+v\n%s%s", line, out.Exit, out.Stdout, out.Stderr)
	}
	return strings.TrimSpace(string(out.Stdout))
}

// each runs shell lines, one after the other in one sandbox, and returns what
// each printed; "refused" when it failed and printed nothing.
func (p place) each(plan supervisor.Plan, lines []string) []string {
	p.t.Helper()
	const end = "----"
	var script strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&script, "out=$( ( %s ) 2>/dev/null ) || out=${out:-refused}; printf '%%s\\n%s\\n' \"$out\"\n", line, end)
	}
	all := strings.Split(p.sh(plan, script.String())+"\n", "\n"+end+"\n")
	if len(all) != len(lines)+1 {
		p.t.Fatalf("%d lines gave %d answers: %q", len(lines), len(all)-1, all)
	}
	return all[:len(lines)]
}

func (p place) try(plan supervisor.Plan, c supervisor.Command) (supervisor.Output, error) {
	ctx, cancel := context.WithTimeout(p.t.Context(), 30*time.Second)
	defer cancel()
	return p.Run(ctx, plan, c)
}

func shell(line string) supervisor.Command { return supervisor.Command{Shell: line} }
