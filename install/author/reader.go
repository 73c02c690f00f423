package author

import (
	"strings"

	"majordomo/configs/manifest"
)

// readerChecks give the problems that package manifest finds, which every installer
// reads with, the name of a check and what to do: the first counts whose place the
// problem's begins with.
var readerChecks = []struct{ at, check, fix string }{
	{"mcp_config.args", "entry-file", "name the file to run in mcp_config.args[0], as it is called in the folder"},
	{"mcp_config.command", "interpreter", "use node, python3, python or sh"},
	{"mcp_config.env", "form-fields", "declare an env[] entry whose name is the environment variable"},
	{"mcp_config", "mcp-config", "write it as the guide's §1c shows"},
	{"transport", "transport", "use stdio for a local connector, streamable-http for a remote one"},
	{"type", "placement", "use mcp_local or mcp_remote"},
	{"scope", "placement", "use user or global"},
	{"auth", "auth-type", "use none, api_key, oauth2, qr or ssh_key"},
	{"env", "form-fields", "give each field the name of the environment variable that the server reads, once"},
	{"verify", "verify-script", "ship the script in the folder, and name it as it is called there"},
	{"id", "folder-name", "give the folder, fragment.json and connector.json the same id"},
	{"folder", "folder-name", "give the folder, fragment.json and connector.json the same id"},
	{"files", "files", "put the connector's code into its folder"},
	{"version", "version", "raise a whole number with every release"},
	{"x_majordomo.egress", "egress", "name each host whole, with its port, as api.example.org:443"},
	{"x_majordomo", "mounts", `only "files" can be mounted`},
	{"", "well-formed", writeAsGuide},
}

// readerNotes tells what the reader that installs connectors finds, and would of the
// fragment if it read that as it is.
func readerNotes(s subject, file func(string) string, found *[]Finding) {
	if s.fragment.marked {
		notes{"well-formed", file, found}.warn(place{fragmentName, ""}, "save it as UTF-8 without BOM",
			"it starts with a byte order mark, which JSON does not allow")
	}
	for _, p := range s.release.Problems {
		doc, where, _ := strings.Cut(p.Where, ":")
		where = strings.TrimSpace(where)
		if doc == "index" {
			doc = fragmentName
		}
		if where == "" && s.manifest.members == nil {
			continue // said of the document as a whole
		}
		for _, c := range readerChecks {
			if !strings.HasPrefix(where, c.at) {
				continue
			}
			fix, severity := p.Hint, p.Severity
			if fix == "" {
				fix = c.fix
			}
			if c.check == "verify-script" {
				severity = manifest.Error // a check that cannot run refuses everybody
			}
			notes{c.check, file, found}.add(severity, place{doc, where}, fix, p.What)
			break
		}
	}
}
