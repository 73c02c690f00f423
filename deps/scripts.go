package deps

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// hiddenLock is npm's account of what it has put into node_modules.
type hiddenLock struct {
	Packages map[string]lockedPackage // by their place in the connector's directory
}

type lockedPackage struct {
	Name                 string // only where it is not what the place says
	HasInstallScript     bool
	Dependencies         map[string]string
	OptionalDependencies map[string]string
	PeerDependencies     map[string]string
}

// installed is what npm has put there; nothing, where it has written no account of it.
func (j *job) installed() (lock hiddenLock) {
	data, err := os.ReadFile(filepath.Join(j.dir, "node_modules/.package-lock.json"))
	if err != nil || json.Unmarshal(data, &lock) != nil {
		return hiddenLock{}
	}
	return lock
}

// installScripts are the places of the packages that have any, sorted: those that may run, and those that may not.
func (j *job) installScripts() (run, left []string) {
	lock := j.installed()
	for _, place := range slices.Sorted(maps.Keys(lock.Packages)) {
		switch p := lock.Packages[place]; {
		case !p.HasInstallScript:
		case j.mayRun(lock, place, p):
			run = append(run, place)
		default:
			left = append(left, place)
		}
	}
	return run, left
}

// mayRun goes by the name under which the registry knows a package. Where names are listed, one that somebody gave to
// something else, as with "sharp": "npm:other@1", stands for nobody.
func (j *job) mayRun(lock hiddenLock, place string, p lockedPackage) bool {
	_, name, found := cutLast(place, "node_modules/")
	if len(j.o.Scripts.Only) == 0 || !found || p.Name != "" && p.Name != name {
		return len(j.o.Scripts.Only) == 0 && !j.o.Scripts.Deny
	}
	return j.o.Scripts.Allows(name) && !j.plan.root.renames(name) && !lock.renames(name)
}

func (l hiddenLock) renames(name string) bool {
	for _, p := range l.Packages {
		for _, wanted := range []map[string]string{p.Dependencies, p.OptionalDependencies, p.PeerDependencies} {
			if elsewhere(wanted[name]) {
				return true
			}
		}
	}
	return false
}

// renames is true of a package.json that takes something else for name.
func (p packageJSON) renames(name string) bool {
	for _, wanted := range []map[string]any{p.Dependencies, p.OptionalDependencies, p.PeerDependencies} {
		if spec, is := wanted[name].(string); is && elsewhere(spec) {
			return true
		}
	}
	return overrides(p.Overrides, name)
}

// overrides looks for a name at any depth of npm's overrides, where it may carry a version.
func overrides(tree map[string]any, name string) bool {
	for key, value := range tree {
		spec, is := value.(string)
		if is && elsewhere(spec) && (key == name || strings.HasPrefix(key, name+"@") || key == ".") {
			return true
		}
		if below, is := value.(map[string]any); is && overrides(below, name) {
			return true
		}
	}
	return false
}

// elsewhere is true of a version that is none: an alias, an address, a folder.
func elsewhere(spec string) bool { return strings.ContainsAny(spec, ":/") }

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// ownScripts are those of the connector's package.json that npm runs when it installs: some patch what they depend on.
// Where names are listed they go by the connector's id, which its publisher cannot choose to be a package's.
func (j *job) ownScripts() (run, left []string) {
	for _, name := range []string{"preinstall", "install", "postinstall", "prepare"} {
		switch {
		case j.plan.root.Scripts[name] == "":
		case j.o.Scripts.Allows(j.plan.pkg.ID):
			run = append(run, name)
		default:
			left = append(left, "the connector's own "+name)
		}
	}
	return run, left
}

// names says places the way people know packages.
func names(places []string) []string {
	var all []string
	for _, place := range places {
		all = append(all, strings.TrimPrefix(path.Clean(place), "node_modules/"))
	}
	return all
}
