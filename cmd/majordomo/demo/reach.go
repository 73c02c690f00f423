package demo

import (
	"errors"
	"fmt"
	"slices"

	"majordomo/supervisor/api"
)

// needs pairs the file that declares dependencies with the program that installs them.
var needs = map[string]string{"package.json": "npm", "requirements.txt": "pip"}

// unreachable names the registry that the connector needs and the daemon cannot reach; "" when there is none. The
// daemon asked outside every sandbox: what can be reached there and fails inside is a failure.
func (v *visit) unreachable() string {
	for _, file := range v.release.Files {
		down := func(r api.Registry) bool { return r.Name == needs[file.Path] && !r.Reachable }
		if slices.ContainsFunc(v.doctor.Registries, down) {
			return needs[file.Path]
		}
	}
	return ""
}

// skipped says whether the connector has to be left out here. With Strict that is a step that fails.
func (v *visit) skipped() bool {
	registry := v.unreachable()
	if registry == "" {
		return false
	}
	why := fmt.Sprintf("the %s registry cannot be reached from this host", registry)
	v.result.Skipped = true
	if v.Strict {
		v.log.run(v.id+": skipped", func() (string, error) { return "", errors.New(why) })
	} else {
		v.log.skip(v.id, why)
	}
	return true
}
