package deps

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// packageJSON is what decides whether there is anything to do.
type packageJSON struct {
	Dependencies         map[string]any    `json:"dependencies"`
	OptionalDependencies map[string]any    `json:"optionalDependencies"`
	PeerDependencies     map[string]any    `json:"peerDependencies"`
	Overrides            map[string]any    `json:"overrides"`
	Workspaces           any               `json:"workspaces"`
	Scripts              map[string]string `json:"scripts"`
}

func (p packageJSON) empty() bool {
	return len(p.Dependencies)+len(p.OptionalDependencies)+len(p.PeerDependencies) == 0 && p.Workspaces == nil
}

func readPackageJSON(root *os.Root) (p packageJSON, err error) {
	data, err := root.ReadFile(npmFile)
	if err != nil {
		return p, err
	}
	// npm forgives a byte order mark; so do we.
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(data), "\ufeff")), &p); err != nil {
		return p, fmt.Errorf("cannot read package.json: %w: ask the publisher to correct it", plain(err))
	}
	return p, nil
}

// plain says without the names of Go types what is wrong with a JSON document.
func plain(err error) error {
	wrong, is := errors.AsType[*json.UnmarshalTypeError](err)
	if !is {
		return err
	}
	if wrong.Field == "" {
		return fmt.Errorf("it is no object, but of type %s", wrong.Value)
	}
	return fmt.Errorf("%s has the wrong type (%s)", wrong.Field, wrong.Value)
}

// checkFolders refuses a dependency on a folder or file of this host that the package does not ship: npm makes a link to
// nowhere of it and says that it succeeded.
func (p *plan) checkFolders() error {
	for _, name := range slices.Sorted(maps.Keys(p.root.Dependencies)) {
		spec, _ := p.root.Dependencies[name].(string)
		place, is := folder(spec)
		if !is {
			continue
		}
		within := func(s source) bool { return s.path == place || strings.HasPrefix(s.path, place+"/") }
		if place != "." && !slices.ContainsFunc(p.files, within) {
			return fmt.Errorf("package.json asks for %s in %s, which is not among the connector's files: ask the publisher to ship it", name, spec)
		}
	}
	return nil
}

// folder is the place that a version stands for which is none, relative to the package.
func folder(spec string) (place string, is bool) {
	rest, is := strings.CutPrefix(spec, "file:")
	if is || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") || strings.HasPrefix(spec, "/") || strings.HasPrefix(spec, "~/") {
		return path.Clean(rest), true
	}
	return "", false
}
