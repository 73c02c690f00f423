package declared

import (
	"encoding/json"
	"maps"
	"slices"
)

// Specs are what a package.json or a lockfile gives in place of versions, sorted: aliases, addresses, folders. Where a lockfile
// says that a version comes from is not one of them.
func Specs(text []byte) []string {
	var document map[string]any
	if json.Unmarshal(withoutBOM(text), &document) != nil {
		return nil // npm will say so
	}
	found := map[string]bool{}
	addPackage(document, found)
	return slices.Sorted(maps.Keys(found))
}

var dependencyKeys = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "requires"}

// addPackage looks at a package, and at those that a lockfile has in it.
func addPackage(p map[string]any, found map[string]bool) {
	for _, key := range dependencyKeys {
		named, _ := p[key].(map[string]any)
		addSpecs(named, found)
	}
	packages, _ := p["packages"].(map[string]any)
	for _, value := range packages {
		if locked, is := value.(map[string]any); is {
			addPackage(locked, found)
		}
	}
}

// notSpecs are what the first kind of lockfile has beside versions.
var notSpecs = []string{"resolved", "integrity", "from"}

// addSpecs goes as deep as overrides do, and into the packages of the first kind of lockfile, where a version may be an address.
func addSpecs(named map[string]any, found map[string]bool) {
	for key, value := range named {
		switch value := value.(type) {
		case string:
			if !slices.Contains(notSpecs, key) && !IsVersion(value) {
				found[value] = true
			}
		case map[string]any:
			addSpecs(value, found)
		}
	}
}
