package configs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Scripts says which packages may run code while they are installed: npm's lifecycle scripts, and the builds of Python
// packages that have no wheel. The zero value lets all of them. It is written "allow", "deny", or as a list of names.
type Scripts struct {
	Deny bool
	Only []string // when not empty, these and no others; those they depend on neither
}

// Allows is true where the package of this name may run code.
func (s Scripts) Allows(name string) bool {
	return !s.Deny && (len(s.Only) == 0 || slices.Contains(s.Only, name))
}

// String is the same for equal policies and different for others.
func (s Scripts) String() string {
	switch {
	case s.Deny:
		return "deny"
	case len(s.Only) > 0:
		names := slices.Sorted(slices.Values(s.Only))
		return "only " + strings.Join(slices.Compact(names), " ")
	}
	return "allow"
}

// packageName is that of an npm or Python package; npm's may have a scope.
var packageName = regexp.MustCompile(`^(@[A-Za-z0-9~-][A-Za-z0-9._~-]*/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*$`)

// UnmarshalTOML reads a word or a list of names. An empty list lets nobody.
func (s *Scripts) UnmarshalTOML(value any) error {
	switch v := value.(type) {
	case string:
		if v != "allow" && v != "deny" {
			return fmt.Errorf(`%q is not a policy; use "allow", "deny" or a list of packages such as ["sharp"]`, v)
		}
		*s = Scripts{Deny: v == "deny"}
		return nil
	case []any:
		*s = Scripts{Deny: len(v) == 0}
		for _, item := range v {
			name, ok := item.(string)
			if !ok || !packageName.MatchString(name) {
				return fmt.Errorf("%v is not the name of a package", item)
			}
			s.Only = append(s.Only, name)
		}
		return nil
	}
	return fmt.Errorf(`want "allow", "deny" or a list of packages such as ["sharp"]`)
}
