package declared

import (
	"path"
	"strings"
)

// PackageJSON is what of a package.json decides what npm installs. Versions are any, since npm judges each by itself.
type PackageJSON struct {
	Dependencies         map[string]any    `json:"dependencies"`
	OptionalDependencies map[string]any    `json:"optionalDependencies"`
	PeerDependencies     map[string]any    `json:"peerDependencies"`
	Overrides            map[string]any    `json:"overrides"`
	Workspaces           any               `json:"workspaces"`
	Scripts              map[string]string `json:"scripts"`
}

// ParsePackageJSON reads a package.json. Its error says what is wrong with the text, not which file it is from.
func ParsePackageJSON(text []byte) (p PackageJSON, err error) {
	err = parse(text, &p)
	return p, err
}

// Empty is true where npm has nothing to install; dependencies that are only for development are none.
func (p PackageJSON) Empty() bool {
	return len(p.Dependencies)+len(p.OptionalDependencies)+len(p.PeerDependencies) == 0 && p.Workspaces == nil
}

// Redirects is true where something else than the registry's package of that name is taken for it: an alias, an address or a
// folder, asked for or as an override.
func (p PackageJSON) Redirects(name string) bool {
	return redirected(name, p.Dependencies, p.OptionalDependencies, p.PeerDependencies) || overridden(p.Overrides, name)
}

func redirected(name string, wanted ...map[string]any) bool {
	for _, versions := range wanted {
		if spec, is := versions[name].(string); is && !IsVersion(spec) {
			return true
		}
	}
	return false
}

// overridden looks for a name at any depth of npm's overrides, where it may carry a version.
func overridden(tree map[string]any, name string) bool {
	for key, value := range tree {
		spec, is := value.(string)
		if is && !IsVersion(spec) && (key == name || strings.HasPrefix(key, name+"@") || key == ".") {
			return true
		}
		if below, is := value.(map[string]any); is && overridden(below, name) {
			return true
		}
	}
	return false
}

// IsVersion is false of what may stand in a version's place and is none: an alias, an address, a folder.
func IsVersion(spec string) bool { return !strings.ContainsAny(spec, ":/") }

// Folder is the place, relative to the package, of a folder or file that stands in a version's place.
func Folder(spec string) (place string, is bool) {
	rest, is := strings.CutPrefix(spec, "file:")
	if is || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") || strings.HasPrefix(spec, "/") || strings.HasPrefix(spec, "~/") {
		return path.Clean(rest), true
	}
	return "", false
}
