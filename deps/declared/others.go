package declared

import (
	"regexp"
	"strings"
)

// byPath finds a dependency that is a path, in what npm reads.
var byPath = regexp.MustCompile(`"(file|link|portal|workspace):|"link"\s*:\s*true`)

// hooks are the scripts of a package itself that npm runs when it installs what the package needs.
var hooks = []string{"preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "prepublish"}

// NamesOthers is true where a file of this name, which npm or pip reads by itself, may make it read other files of the connector. In
// doubt it is.
func NamesOthers(name string, text []byte) bool {
	if name == RequirementsFile {
		return Requirements(text).namesOthers()
	}
	if byPath.Match(text) {
		return true
	}
	if name != PackageFile {
		return false
	}
	p, err := ParsePackageJSON(text)
	return err != nil || p.namesOthers()
}

func (p PackageJSON) namesOthers() bool {
	if p.Workspaces != nil {
		return true
	}
	for _, hook := range hooks {
		if p.Scripts[hook] != "" {
			return true
		}
	}
	for _, versions := range []map[string]any{p.Dependencies, p.OptionalDependencies, p.PeerDependencies} {
		for _, version := range versions {
			spec, _ := version.(string)
			if _, is := Folder(spec); is || strings.HasPrefix(spec, ".") {
				return true
			}
		}
	}
	return false
}

func (r Requirements) namesOthers() bool {
	for _, line := range r.Lines() {
		if strings.HasPrefix(line, "-") || strings.ContainsAny(line, `/\`) || strings.HasPrefix(line, ".") {
			return true
		}
	}
	return false
}
