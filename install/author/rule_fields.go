package author

import (
	"fmt"
	"slices"
	"strings"
)

// What each document may hold (guide §1b, §1c), and which members only the other
// one is read for (guide §1e).
var (
	fragmentFields = []string{
		"id", "name", "version", "version_string", "version_release_date", "type", "scope", "icon_small", "icon_large",
		"user_description", "requires", "tags", "folder", "auth", "tools", "transport",
	}
	manifestFields = []string{
		"id", "name", "version", "version_string", "version_release_date", "type", "scope", "requires", "tags", "auth",
		"launch_command", "transport", "mcp_config", "dependencies", "setup_instructions", "docs", "env", "verify", "tools",
		"homepage", "icon_small", "icon_large",
	}
)

// innerFields are those of the objects inside a manifest, of which most are lists.
var innerFields = []struct {
	keys  []string
	known []string
}{
	{[]string{"auth"}, []string{"type", "provider", "scopes", "deliver", "delivery", "param"}},
	{[]string{"auth", "deliver"}, []string{"as", "format", "env"}},
	{[]string{"mcp_config"}, []string{"command", "args", "url", "transport", "env"}},
	{[]string{"docs"}, []string{"lang", "description", "llm_short_description"}},
	{[]string{"env"}, []string{"name", "label", "description", "required", "secret", "example", "default"}},
	{[]string{"verify"}, []string{"command", "timeout_secs"}},
	{[]string{"tools"}, []string{"name", "display_name"}},
}

// checkKnownFields finds what nobody reads: often it is misspelt.
func checkKnownFields(s subject, n notes) {
	for _, d := range []struct {
		document
		own, others []string
	}{{s.fragment, fragmentFields, manifestFields}, {s.manifest, manifestFields, fragmentFields}} {
		for _, key := range sortedKeys(d.members) {
			at := place{d.name, key}
			switch {
			case slices.Contains(d.own, key) || unjudged(key):
			case key == "files":
				n.warn(at, "remove it", "it is the compiler's to write: what stands here is not used")
			case slices.Contains(d.others, key):
				n.warn(at, "move it to the other document", "nobody reads it in this document")
			default:
				n.warn(at, "correct its spelling, or begin the name of an extension with x_", "the guide has no such field")
			}
		}
	}
	for _, inner := range innerFields {
		v := s.manifest.value(inner.keys[0])
		for _, key := range inner.keys[1:] {
			v = member(v, key)
		}
		at := strings.Join(inner.keys, ".")
		n.unknown(at, v, inner.known)
		for i, item := range items(v) {
			n.unknown(fmt.Sprintf("%s[%d]", at, i), item, inner.known)
		}
	}
}

// unjudged is true of extensions, and of what another check is about.
func unjudged(key string) bool { return strings.HasPrefix(key, "x_") || adminOnly(key) }

func (n notes) unknown(at string, v any, known []string) {
	o, _ := v.(map[string]any)
	for _, key := range sortedKeys(o) {
		if !slices.Contains(known, key) && !unjudged(key) {
			n.warn(inManifest("%s.%s", at, key), "correct its spelling", "the guide has no such field: want one of %s", strings.Join(known, ", "))
		}
	}
}
