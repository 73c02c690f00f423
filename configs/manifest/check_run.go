package manifest

import (
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
