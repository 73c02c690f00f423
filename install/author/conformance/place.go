package conformance

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/sandbox"
)

// uid is the connector's: beside that of dependency builds, or our own where we are
// not root and have no other to give.
func uid() int {
	if own := os.Geteuid(); own != 0 {
		return own
	}
	return deps.DefaultUID + 1
}

// gid is uid's, likewise.
func gid() int {
	if os.Geteuid() != 0 {
		return os.Getegid()
	}
	return uid()
}

// memory is the limit that connectors have by default.
const memory = 512 << 20

// place is where the connector runs: a package, a tree and a home like those the
// daemon makes, for this run alone.
type place struct {
	o       Options
	dir     string // of the author
	paths   configs.Paths
	host    *sandbox.Host
	release manifest.Release
	tree    deps.Tree
}

// pack copies what would be shipped, for the connector runs as somebody who may not
// be able to read the author's files.
func (p *place) pack() error {
	to := p.paths.Connector(p.release.ID)
	for _, f := range p.release.Files {
		data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		file := filepath.Join(to, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	for _, dir := range []string{p.home(), p.files()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(dir, uid(), gid()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *place) home() string  { return p.paths.ConnectorDir("test", p.release.ID) }
func (p *place) files() string { return p.paths.Files("test") }

// build installs what the connector depends on.
func (p *place) build(ctx context.Context) error {
	builder := deps.New(deps.Options{Paths: p.paths, Sandbox: p.host, Runtimes: p.o.Runtimes, Log: p.o.Log})
	var err error
	p.tree, err = builder.Ensure(ctx, deps.Package{
		ID: p.release.ID, Dir: p.paths.Connector(p.release.ID), Files: p.release.Files,
	}, p.o.Progress)
	return err
}

// declaresDependencies is true of a package that ships a file npm or pip would read.
func (p *place) declaresDependencies() bool {
	_, npm := p.release.File("package.json")
	_, pip := p.release.File("requirements.txt")
	return npm || pip
}

// spec is what the daemon would start.
func (p *place) spec(ctx context.Context) (sandbox.Spec, error) {
	runtime, err := p.o.Runtimes.Find(ctx, p.release.Command)
	if err != nil {
		return sandbox.Spec{}, err
	}
	dir := path.Join(sandbox.Home, ".skald/mcp", p.release.ID)
	entry := append([]string{path.Join(dir, p.release.Args[0])}, p.release.Args[1:]...)
	return sandbox.Spec{
		Name: "author-test", Argv: runtime.Command(entry...), Dir: dir, UID: uid(), GID: gid(),
		Env: p.environment(dir, filepath.Dir(runtime.Path)), Runtimes: runtime.Prefixes, Mounts: p.mounts(dir),
		Network: sandbox.NetworkOpen, Limits: sandbox.Limits{Memory: memory},
	}, nil
}

func (p *place) mounts(dir string) []sandbox.Mount {
	all := []sandbox.Mount{{Source: p.home(), Target: dir, Writable: true}}
	for _, f := range p.release.Files {
		if !f.HostOnly() {
			source := filepath.Join(p.paths.Connector(p.release.ID), filepath.FromSlash(f.Path))
			all = append(all, sandbox.Mount{Source: source, Target: path.Join(dir, f.Path)})
		}
	}
	for name, source := range map[string]string{"node_modules": p.tree.NodeModules, ".pydeps": p.tree.PyDeps} {
		if source != "" {
			all = append(all, sandbox.Mount{Source: source, Target: path.Join(dir, name)})
		}
	}
	if slices.Contains(p.release.Mounts, manifest.MountFiles) {
		all = append(all, sandbox.Mount{Source: p.files(), Target: path.Join(sandbox.Home, "files"), Writable: true})
	}
	return all
}

// environment is the base that every connector gets, and the form.
func (p *place) environment(dir, bin string) []string {
	env := map[string]string{
		"PATH":             bin + ":/usr/local/bin:/usr/bin:/bin",
		"HOME":             sandbox.Home,
		"LANG":             "C.UTF-8",
		"PYTHONUTF8":       "1",
		"PYTHONUNBUFFERED": "1",
		"PYTHONPATH":       path.Join(dir, ".pydeps"),
		"NODE_OPTIONS":     fmt.Sprintf("--max-old-space-size=%d", memory*7/10>>20),
	}
	for _, e := range p.release.Env {
		value := cmp.Or(e.Default, e.Example)
		if e.Required {
			value = cmp.Or(value, "test")
		}
		env[e.Name] = value
	}
	maps.Copy(env, p.o.Set)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		all = append(all, name+"="+env[name])
	}
	return all
}
