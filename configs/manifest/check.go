package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// commands are the interpreters that the sandbox has on its PATH, each with ""
// or, for the names that people try, what to do instead.
var commands = map[string]string{
	"node": "", "python3": "", "python": "", "sh": "",
	"npx":    "ship a package.json that names the package, and an entry file that imports it",
	"npm":    "ship a package.json that names the package, and an entry file that imports it",
	"uvx":    "ship a requirements.txt that names the package, and an entry file that runs it",
	"uv":     "ship a requirements.txt that names the package, and an entry file that runs it",
	"docker": "ship the server's own code with a package.json or a requirements.txt",
}

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
			return problem("index: files", "", "they are more than the limit of %d bytes together", MaxPackage)
		}
		if f.Size > MaxFile {
			return problem("index: files", "", "%s is %d bytes, more than the limit of %d", f.Path, f.Size, MaxFile)
		}
	}
	return nil
}

func checkRemote(r Release) []Problem {
	switch {
	case r.Source != SourceRemote:
		return nil
	case r.Command != "":
		return problem(Name+": mcp_config.command", "declare it as mcp_local",
			"a remote connector may not name a command to run here")
	case r.Transport == TransportStdio:
		return problem(Name+": transport", "", "a remote connector cannot speak stdio")
	case r.URL == "":
		return problem(Name+": mcp_config.url", "", "there is none, and a remote connector is nothing else")
	}
	return nil
}

func checkCommand(r Release) []Problem {
	if r.Source != SourceLocal {
		return nil
	}
	if r.Transport != TransportStdio {
		return problem(Name+": transport", "", "a local connector speaks stdio, not %s", r.Transport)
	}
	where := Name + ": mcp_config.command"
	instead, known := commands[r.Command]
	switch {
	case r.Command == "":
		return problem(where, "", "there is none, want one of %s", interpreters())
	case !known:
		return problem(where, "", "%.80q is not one of %s", r.Command, interpreters())
	case instead != "":
		return problem(where, instead, "%s fetches code that nobody vouches for", r.Command)
	}
	return nil
}

func interpreters() string {
	names := slices.Sorted(maps.Keys(commands))
	return strings.Join(slices.DeleteFunc(names, func(n string) bool { return commands[n] != "" }), ", ")
}

func checkEntry(r Release) []Problem {
	if r.Source != SourceLocal {
		return nil
	}
	where := Name + ": mcp_config.args[0]"
	if len(r.Args) == 0 || r.Args[0] == "" {
		return problem(where, "", "it is missing, and it must name the file to run")
	}
	if err := CheckPath(r.Args[0]); err != nil {
		return problem(where, "", "%s", err)
	}
	entry, ok := r.File(r.Args[0])
	if !ok {
		return problem(where, "", "%.80q is not one of the files", r.Args[0])
	}
	if entry.HostOnly() {
		return problem(where, "", "%.80q stays on the host and cannot be run", r.Args[0])
	}
	return nil
}
