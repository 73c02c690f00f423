package author

import (
	"maps"
	"regexp"
	"slices"
	"time"

	"majordomo/configs/manifest"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// checkName: whichever document has it first is shown (guide §1e).
func checkName(s subject, n notes) {
	listed, own := s.fragment.str("name"), s.manifest.str("name")
	switch {
	case listed == "":
		n.warn(inFragment("name"), "give it the name that people know", "there is none")
	case own == "":
		n.warn(inManifest("name"), "say the same in both", "there is none")
	case listed != own:
		n.warn(inManifest("name"), "say the same in both", "it is %q here and %q in %s", own, listed, fragmentName)
	}
}

// checkIdentical: each member of sameInBoth is in both documents and the same
// (guide §9).
func checkIdentical(s subject, n notes) {
	for _, d := range disagreements(s.fragment, s.manifest) {
		n.fail(inManifest("%s", d.key), "say the same in both", "it is %s here and %s in %s", d.manifest, d.fragment, fragmentName)
	}
	for _, key := range sameInBoth {
		switch {
		case !s.manifest.has(key) && !s.fragment.empty(key):
			n.warn(inManifest("%s", key), "say the same in both", "only %s says it", fragmentName)
		case !s.fragment.has(key) && !s.manifest.empty(key):
			n.warn(inFragment("%s", key), "say the same in both", "only %s says it", manifest.Name)
		}
	}
}

var semver = regexp.MustCompile(`^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$`)

// checkVersion looks at the form of the version trio (guide §7).
func checkVersion(s subject, n notes) {
	for _, d := range []document{s.fragment, s.manifest} {
		number, isNumber := d.value("version").(float64)
		whole := isNumber && number >= 1 && number == float64(int64(number))
		if !whole && (d.has("version") || d.name == manifest.Name) {
			n.fail(place{d.name, "version"}, "write a whole number such as 8, without quotes", "it is not a number from 1 on, and only numbers are compared for updates")
		}
		if v := d.str("version_string"); v != "" && !semver.MatchString(v) {
			n.warn(place{d.name, "version_string"}, "write three numbers such as 2.2.0", "%q is no semantic version", v)
		}
		date := d.str("version_release_date")
		if _, err := time.Parse(time.DateOnly, date); date != "" && err != nil {
			n.warn(place{d.name, "version_release_date"}, "write it as YYYY-MM-DD", "%q is no date", date)
		}
	}
	if s.manifest.str("version_string") == "" {
		n.warn(inManifest("version_string"), "write three numbers such as 2.2.0", "there is none to show to people")
	}
	if s.manifest.str("version_release_date") == "" {
		n.warn(inManifest("version_release_date"), "write it as YYYY-MM-DD", "there is none to show to people")
	}
}
