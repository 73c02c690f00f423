// Package inside says what a connector finds when it runs: its directory, what is
// mounted over it, its command line and its environment. It is the one place that
// says so, for the daemon that runs connectors and for the tests that authors run,
// so that what passes there works here.
//
// It is data from data: it must never look at a file, and never put a value into a
// command line. It starts no goroutines.
package inside

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/deps/guard"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

// DefaultMemory is the limit of a connector when nobody says another one, in bytes.
const DefaultMemory = 512 << 20

// heapShare of the memory limit is what V8 may use for its heap: it cannot see
// the limit by itself, and the rest of node needs room too.
const heapShare = 0.7

// minHeap is what node needs to start at all, in bytes.
const minHeap = 32 << 20

// Connector is one that is about to run. The zero Memory is DefaultMemory.
type Connector struct {
	Paths        configs.Paths
	Member, Name string // whose it is, and the name of its directory
	Package      string // the directory of the package on this host
	Release      manifest.Release
	Tree         deps.Tree
	Runtime      runtimes.Runtime // of Release.Command
	Memory       int64            // its limit, in bytes
	Copied       bool             // what is shipped and installed was copied to its directory, and is not mounted
}

// Dir is where a connector of that name works inside its sandbox (guide §5).
func Dir(name string) string { return path.Join(sandbox.Home, ".skald", "mcp", name) }

// Argv is how it is started: its interpreter, its entry file, and the other
// arguments of its manifest (guide §1c). The release must be Installable.
func (c Connector) Argv() []string {
	args := c.Release.Args
	return c.Runtime.Command(append([]string{path.Join(Dir(c.Name), args[0])}, args[1:]...)...)
}

// Shown are the shipped files that a connector sees (guide §5).
func Shown(r manifest.Release) []string {
	var all []string
	for _, f := range r.Files {
		if !f.HostOnly() {
			all = append(all, f.Path)
		}
	}
	return all
}

// Trees are the dependency directories by their names beside the entry file. A
// connector that needs none gets an empty one, lest its interpreter look into one that
// the connector made.
func (c Connector) Trees() map[string]string {
	all := map[string]string{"node_modules": c.Tree.NodeModules, ".pydeps": c.Tree.PyDeps}
	name := map[string]string{"node": "node_modules", "python3": ".pydeps", "python": ".pydeps"}[c.Release.Command]
	if name != "" && all[name] == "" {
		all[name] = guard.Nothing(c.Paths)
	}
	maps.DeleteFunc(all, func(_, source string) bool { return source == "" })
	return all
}

// Mounts show the connector's own directory and over it, read-only and one by
// one, what the package and its tree bring. Nothing that runs can be changed from
// inside. The member's own files are there where the manifest asks for them.
func (c Connector) Mounts() []sandbox.Mount {
	dir := Dir(c.Name)
	own := c.kept(c.Paths.ConnectorDir(c.Member, c.Name), dir)
	own.Counted = true
	all := []sandbox.Mount{{Source: c.Paths.Guard(), Target: guard.Inside}, own}
	if c.Copied {
		return append(all, c.files()...)
	}
	for _, f := range Shown(c.Release) {
		all = append(all, sandbox.Mount{Source: filepath.Join(c.Package, filepath.FromSlash(f)), Target: path.Join(dir, f)})
	}
	trees := c.Trees()
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		all = append(all, sandbox.Mount{Source: trees[name], Target: path.Join(dir, name)})
	}
	return append(all, c.files()...)
}

// files are the member's own, where the manifest asks for them.
func (c Connector) files() []sandbox.Mount {
	if !slices.Contains(c.Release.Mounts, manifest.MountFiles) {
		return nil
	}
	return []sandbox.Mount{c.kept(c.Paths.Files(c.Member), path.Join(sandbox.Home, "files"))}
}

// kept mounts a directory below the homes, whose contents are hostile.
func (c Connector) kept(dir, target string) sandbox.Mount {
	source, err := filepath.Rel(c.Paths.Homes(), dir)
	if err != nil {
		panic(err) // both come from one table of paths
	}
	return sandbox.Mount{Source: source, Beneath: c.Paths.Homes(), Target: target, Writable: true}
}

// Env is a small base and the values of the form verbatim, which win
// (docs/security.md). Nothing of the caller's own environment is in it.
func (c Connector) Env(values map[string]string) []string {
	heap := max(int64(heapShare*float64(cmp.Or(c.Memory, DefaultMemory))), minHeap)
	env := map[string]string{
		"PATH":             filepath.Dir(c.Runtime.Path) + ":/usr/local/bin:/usr/bin:/bin",
		"HOME":             sandbox.Home,
		"LANG":             "C.UTF-8",
		"PYTHONUTF8":       "1",
		"PYTHONUNBUFFERED": "1",
		"PYTHONPATH":       guard.Python + ":" + path.Join(Dir(c.Name), ".pydeps"),
		"NODE_OPTIONS":     fmt.Sprintf("--max-old-space-size=%d --require %q", heap>>20, guard.Node),
	}
	maps.Copy(env, values)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		all = append(all, name+"="+env[name])
	}
	return all
}
