package declared

import (
	"slices"
	"strings"
)

// Lockfile is a package-lock.json or npm-shrinkwrap.json, or the account in the same form that npm leaves in node_modules.
type Lockfile struct {
	Packages     map[string]Locked `json:"packages"`     // by their place below the package
	Dependencies map[string]nested `json:"dependencies"` // those of a lockfile older than npm 7
}

// Locked is one package of a lockfile.
type Locked struct {
	Name                 string         `json:"name"` // only where it is not what the place says
	Version              string         `json:"version"`
	Resolved             string         `json:"resolved"` // where it comes from
	Dev                  bool           `json:"dev"`      // only for development
	Link                 bool           `json:"link"`     // to a folder
	HasInstallScript     bool           `json:"hasInstallScript"`
	Dependencies         map[string]any `json:"dependencies"`
	OptionalDependencies map[string]any `json:"optionalDependencies"`
	PeerDependencies     map[string]any `json:"peerDependencies"`
}

// nested is one package of a lockfile older than npm 7.
type nested struct {
	Version      string            `json:"version"`
	Dev          bool              `json:"dev"`
	Dependencies map[string]nested `json:"dependencies"`
}

// ParseLockfile reads a lockfile of any version.
func ParseLockfile(text []byte) (l Lockfile, err error) {
	err = parse(text, &l)
	return l, err
}

// Versions are those of every package that is not only for development, by name. One that is there several times has all its
// versions.
func (l Lockfile) Versions() map[string]string {
	found := map[string][]string{}
	for place, p := range l.Packages {
		if name := NameAt(place); name != "" && !p.Dev && !p.Link {
			found[name] = append(found[name], p.Version)
		}
	}
	if l.Packages == nil {
		addNested(l.Dependencies, found)
	}
	all := map[string]string{}
	for name, versions := range found {
		slices.Sort(versions)
		all[name] = strings.Join(slices.Compact(versions), ", ")
	}
	return all
}

func addNested(packages map[string]nested, found map[string][]string) {
	for name, p := range packages {
		if !p.Dev {
			found[name] = append(found[name], p.Version)
			addNested(p.Dependencies, found)
		}
	}
}

// NameAt is the name of the package that lies at a place in node_modules; "" = it lies elsewhere.
func NameAt(place string) string {
	const dir = "node_modules/"
	at := strings.LastIndex(place, dir)
	if at < 0 {
		return ""
	}
	return place[at+len(dir):]
}

// Has is true where a package of that name lies anywhere in the tree.
func (l Lockfile) Has(name string) bool {
	for place := range l.Packages {
		if strings.HasSuffix(place, "node_modules/"+name) {
			return true
		}
	}
	return false
}

// Redirects is PackageJSON.Redirects for what the packages ask of each other.
func (l Lockfile) Redirects(name string) bool {
	for _, p := range l.Packages {
		if redirected(name, p.Dependencies, p.OptionalDependencies, p.PeerDependencies) {
			return true
		}
	}
	return false
}

// Addressed is true of a lockfile that says of a package where it comes from.
func (l Lockfile) Addressed() bool {
	for _, p := range l.Packages {
		if strings.Contains(p.Resolved, "://") {
			return true
		}
	}
	return false
}
