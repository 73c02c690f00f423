package deps

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"majordomo/deps/declared"
)

// installed is npm's account of what it has put into node_modules; nothing, where it has written none.
func (j *job) installed() declared.Lockfile {
	text, err := os.ReadFile(filepath.Join(j.dir, "node_modules/.package-lock.json"))
	if err != nil {
		return declared.Lockfile{}
	}
	lock, err := declared.ParseLockfile(text)
	if err != nil {
		return declared.Lockfile{}
	}
	return lock
}

// installScripts are the places of the packages that have any, sorted: those that may run, and those that may not.
func (j *job) installScripts() (run, left []string) {
	lock := j.installed()
	for _, place := range slices.Sorted(maps.Keys(lock.Packages)) {
		switch {
		case !lock.Packages[place].HasInstallScript:
		case j.mayRun(lock, place):
			run = append(run, place)
		default:
			left = append(left, place)
		}
	}
	return run, left
}

// mayRun goes by the name under which the registry knows a package. Where names are listed, one that somebody gave to
// something else, as with "sharp": "npm:other@1", stands for nobody.
func (j *job) mayRun(lock declared.Lockfile, place string) bool {
	name, own := declared.NameAt(place), lock.Packages[place].Name
	if len(j.o.Scripts.Only) == 0 || name == "" || own != "" && own != name {
		return len(j.o.Scripts.Only) == 0 && !j.o.Scripts.Deny
	}
	return j.o.Scripts.Allows(name) && !j.plan.root.Redirects(name) && !lock.Redirects(name)
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
