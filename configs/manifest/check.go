package manifest

import (
	"fmt"
	"slices"

	"majordomo/configs/humanize"
)

// checks are what a release must pass, by name, in the order in which a person
// would want to hear about them. Each returns the problems it finds.
var checks = []struct {
	name string
	find func(Release) []Problem
}{
	{"there is code to verify", checkFiles},
	{"paths are safe to create", checkPaths},
	{"sizes are within the limit", checkSizes},
	{"a remote spawns nothing", checkRemote},
	{"a local runs a known interpreter", checkCommand},
	{"the entry file is shipped", checkEntry},
}

// check returns everything that keeps r from being installed.
func (r Release) check() []Problem {
	var found []Problem
	for _, c := range checks {
		found = append(found, c.find(r)...)
	}
	return found
}

// Installable returns nil, or a Refusal that names the first error among the
// Problems of r. It says nothing about digests: those are checked as the bytes
// arrive.
func (r Release) Installable() error {
	bad := slices.DeleteFunc(slices.Clone(r.Problems), func(p Problem) bool { return p.Severity != Error })
	if len(bad) == 0 {
		return nil
	}
	hint := firstOf(bad[0].Hint, "this is for the publisher to fix")
	if more := len(bad) - 1; more > 0 {
		hint += fmt.Sprintf(" (%d more: majordomo feed show %s)", more, r.ID)
	}
	return &Refusal{What: "install " + r.ID, Why: bad[0].String(), Hint: hint}
}

func problem(where, hint, format string, args ...any) []Problem {
	return []Problem{{Severity: Error, Where: where, What: fmt.Sprintf(format, args...), Hint: hint}}
}

func checkFiles(r Release) []Problem {
	if len(r.Files) > MaxFiles {
		return problem("index: files", "", "it lists more than the limit of %d files", MaxFiles)
	}
	code := slices.ContainsFunc(r.Files, func(f File) bool { return f.Path != Name })
	if r.Source == SourceLocal && !code {
		return problem("index: files", "list every file with its digest: `majordomo author compile` does",
			"there is no code in the list, and code that nobody vouches for is not installed")
	}
	return nil
}

func checkPaths(r Release) []Problem {
	paths := make([]string, len(r.Files))
	for i, f := range r.Files {
		paths[i] = f.Path
	}
	if err := CheckPaths(paths); err != nil {
		return problem("index: files", "", "%s", err)
	}
	return nil
}

func checkSizes(r Release) []Problem {
	var all int64
	for _, f := range r.Files {
		if all += f.Size; all > MaxPackage {
			return problem("index: files", "", "they are more than the limit of %s together", humanize.Bytes(MaxPackage))
		}
		if f.Size > MaxFile {
			return problem("index: files", "", "%s is %d bytes, more than the limit of %s", f.Path, f.Size, humanize.Bytes(MaxFile))
		}
	}
	return nil
}
