package deps

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"go.uber.org/zap"
)

// npmAsks has npm's own reader say where dependencies lead that are no versions: shorthands for well-known hosts are its to know.
const npmAsks = `const npa = require("module").createRequire(process.argv[1])("npm-package-arg"), all = []
for (const spec of JSON.parse(process.argv[2])) {
  try {
    const r = npa.resolve("x", spec, "/"), hosted = r.hosted
    if (hosted) all.push(...["https", "sshurl", "tarball"].map(way => hosted[way] && hosted[way]()))
    else if (r.type === "git" || r.type === "remote") all.push(r.fetchSpec)
  } catch {}
}
console.log(JSON.stringify(all.filter(Boolean).map(String)))`

// npmAddresses are the addresses that package.json files and the lockfile give as dependencies. Where the lockfile says a version
// comes from is not one of them: the configured registry has the same bytes, or they are not what the version means.
func (j *job) npmAddresses(ctx context.Context) []string {
	specs := map[string]bool{}
	for _, s := range j.plan.files {
		if path.Base(s.path) == npmFile || slices.Contains(lockfiles, s.path) {
			j.specsIn(s.path, specs)
		}
	}
	if len(specs) == 0 {
		return nil
	}
	list, err := json.Marshal(slices.Sorted(maps.Keys(specs)))
	if err != nil || len(j.plan.npm.Args) == 0 {
		return nil
	}
	var found []string
	if err := j.ask(ctx, []string{j.plan.npm.Path, "-e", npmAsks, "--", j.plan.npm.Args[0], string(list)}, &found); err != nil {
		j.o.Log.Warn("npm does not say where dependencies lead: what it fetches from elsewhere will be refused", zap.Error(err))
	}
	for i, address := range found {
		found[i] = withScheme(address)
	}
	return found
}

// withScheme writes host:path, as for ssh, as an address.
func withScheme(address string) string {
	host, _, found := strings.Cut(address, ":")
	if !found || strings.Contains(address, "://") || strings.Contains(host, "/") {
		return address
	}
	return "ssh://" + host
}

// specsIn adds the dependencies of one file that are not versions.
func (j *job) specsIn(file string, specs map[string]bool) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return
	}
	defer root.Close()
	text, err := root.ReadFile(file)
	if err != nil {
		return
	}
	var document map[string]any
	if json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &document) == nil {
		specsOf(document, specs)
	}
}

var dependencyKeys = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "requires"}

// specsOf looks at a package, and at those that a lockfile has in it.
func specsOf(p map[string]any, specs map[string]bool) {
	for _, key := range dependencyKeys {
		named, _ := p[key].(map[string]any)
		addSpecs(named, specs)
	}
	packages, _ := p["packages"].(map[string]any)
	for _, value := range packages {
		if locked, is := value.(map[string]any); is {
			specsOf(locked, specs)
		}
	}
}

// notSpecs are what the first kind of lockfile has beside versions.
var notSpecs = []string{"resolved", "integrity", "from"}

// addSpecs goes as deep as overrides do, and into the packages of the first kind of lockfile, where a version may be an address.
func addSpecs(named map[string]any, specs map[string]bool) {
	for key, value := range named {
		switch value := value.(type) {
		case string:
			if !slices.Contains(notSpecs, key) && elsewhere(value) {
				specs[value] = true
			}
		case map[string]any:
			addSpecs(value, specs)
		}
	}
}
