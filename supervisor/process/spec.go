package process

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"majordomo/configs/manifest"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
	"majordomo/supervisor"
)

// heapShare of the memory limit is what V8 may use for its heap: it cannot see
// the limit by itself, and the rest of node needs room too.
const heapShare = 0.7

// prepare makes the directories of a plan and the Spec that everything of it
// runs in: the connector, its check and the probe.
func (l *Launcher) prepare(ctx context.Context, p supervisor.Plan) (sandbox.Spec, runtimes.Runtime, error) {
	runtime, err := l.o.Runtimes.Find(ctx, p.Package.Release.Command)
	if err != nil {
		return sandbox.Spec{}, runtime, err
	}
	if err := l.makeHome(p); err != nil {
		return sandbox.Spec{}, runtime, fmt.Errorf("cannot prepare the directory of %s: %w", p.Connector, err)
	}
	dir := p.Dir()
	return sandbox.Spec{
		Name:     specName(p),
		Env:      environment(p, dir, runtime, l.o.Limits.Memory),
		Dir:      dir,
		UID:      p.UID,
		GID:      p.GID,
		Runtimes: runtime.Prefixes,
		Mounts:   l.mounts(p, dir),
		Network:  sandbox.NetworkOpen,
		Limits:   l.o.Limits,
	}, runtime, nil
}

// specName is for people who look at host names and control groups.
func specName(p supervisor.Plan) string {
	name := p.Name + "." + p.Member
	return name[:min(len(name), 64)]
}

// command is how the connector itself is started: its interpreter, its entry
// file, and the other arguments of its manifest (guide §1c).
func command(p supervisor.Plan, dir string, r runtimes.Runtime) []string {
	args := p.Package.Release.Args
	return r.Command(append([]string{path.Join(dir, args[0])}, args[1:]...)...)
}

// mounts show the member's directory and over it, read-only and one by one,
// what the package and its tree bring. Nothing that runs can be changed from
// inside.
func (l *Launcher) mounts(p supervisor.Plan, dir string) []sandbox.Mount {
	homes := l.o.Paths.Homes()
	below := func(target string) string {
		source, err := filepath.Rel(homes, target)
		if err != nil {
			panic(err) // both come from one table of paths
		}
		return source
	}
	all := []sandbox.Mount{{Source: below(l.o.Paths.ConnectorDir(p.Member, p.Name)), Beneath: homes, Target: dir, Writable: true}}
	for _, f := range shown(p) {
		all = append(all, sandbox.Mount{Source: filepath.Join(p.Package.Dir, filepath.FromSlash(f)), Target: path.Join(dir, f)})
	}
	for name, source := range trees(p) {
		all = append(all, sandbox.Mount{Source: source, Target: path.Join(dir, name)})
	}
	if slices.Contains(p.Package.Release.Mounts, manifest.MountFiles) {
		all = append(all, sandbox.Mount{Source: below(l.o.Paths.Files(p.Member)), Beneath: homes, Target: path.Join(sandbox.Home, "files"), Writable: true})
	}
	return all
}

// shown are the shipped files that a connector sees (guide §5).
func shown(p supervisor.Plan) []string {
	var all []string
	for _, f := range p.Package.Release.Files {
		if !f.HostOnly() {
			all = append(all, f.Path)
		}
	}
	return all
}

// trees are the dependency directories by their names beside the entry file.
func trees(p supervisor.Plan) map[string]string {
	all := map[string]string{"node_modules": p.Tree.NodeModules, ".pydeps": p.Tree.PyDeps}
	maps.DeleteFunc(all, func(_, source string) bool { return source == "" })
	return all
}

// environment is a small base and the form's values verbatim, which win
// (docs/security.md). Nothing of the daemon's own environment is in it.
func environment(p supervisor.Plan, dir string, r runtimes.Runtime, memory int64) []string {
	env := map[string]string{
		"PATH":             filepath.Dir(r.Path) + ":/usr/local/bin:/usr/bin:/bin",
		"HOME":             sandbox.Home,
		"LANG":             "C.UTF-8",
		"PYTHONUTF8":       "1",
		"PYTHONUNBUFFERED": "1",
		"PYTHONPATH":       path.Join(dir, ".pydeps"),
		"NODE_OPTIONS":     fmt.Sprintf("--max-old-space-size=%d", max(int64(heapShare*float64(memory)), 32<<20)>>20),
	}
	maps.Copy(env, p.Values)
	for name, secret := range p.Secrets {
		env[name] = secret.Reveal()
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		all = append(all, name+"="+env[name])
	}
	return all
}
