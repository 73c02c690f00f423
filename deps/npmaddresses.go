package deps

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"

	"go.uber.org/zap"

	"majordomo/deps/declared"
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
	specs := j.npmSpecs()
	if len(specs) == 0 {
		return nil
	}
	list, err := json.Marshal(specs)
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

// npmSpecs are what the build's package.json files and lockfiles give in place of versions.
func (j *job) npmSpecs() (specs []string) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	for _, s := range j.plan.files {
		if path.Base(s.path) != declared.PackageFile && !slices.Contains(declared.Lockfiles, s.path) {
			continue
		}
		if text, err := root.ReadFile(s.path); err == nil {
			specs = append(specs, declared.Specs(text)...)
		}
	}
	slices.Sort(specs)
	return slices.Compact(specs)
}

// withScheme writes host:path, as for ssh, as an address.
func withScheme(address string) string {
	host, _, found := strings.Cut(address, ":")
	if !found || strings.Contains(address, "://") || strings.Contains(host, "/") {
		return address
	}
	return "ssh://" + host
}
