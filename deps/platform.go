package deps

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// platformWord is in the names of packages that hold one platform's part of another package.
var platformWord = regexp.MustCompile(`(?:^|[-/_.])(?:linux|darwin|win32|windows|android|freebsd|musl)(?:[-_.]|$)`)

// warnPlatforms names packages that have parts for some platforms and none for this one: npm installs them without a word, and
// they fail when they are loaded.
func (j *job) warnPlatforms() {
	lock := j.installed()
	for _, place := range slices.Sorted(maps.Keys(lock.Packages)) {
		var missing []string
		for name := range lock.Packages[place].OptionalDependencies {
			if !platformWord.MatchString(name) {
				continue
			}
			if lock.Has(name) {
				missing = nil
				break
			}
			missing = append(missing, name)
		}
		if slices.Sort(missing); len(missing) > 0 {
			j.warn("%s has parts for other platforms, and none for this one was installed: it may not start (%s)",
				names([]string{place})[0], strings.Join(missing, ", "))
		}
	}
}

// warnEngines passes on that a package asks for another node; npm installs it all the same.
func (j *job) warnEngines(r result) {
	var name string
	for _, line := range r.lines {
		_, rest, found := strings.Cut(line, "EBADENGINE ")
		if !found {
			continue
		}
		if _, value, is := strings.Cut(rest, "package: "); is {
			if name = strings.Trim(value, "', "); name == "undefined" {
				name = "the connector itself"
			}
		} else if _, value, is := strings.Cut(rest, "required: "); is {
			j.warn("%s asks for %s, and this host has node %s", name, strings.Trim(value, ", "), j.plan.node.Version)
		}
	}
}
