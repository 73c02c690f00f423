package supervisor

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxToolName is what model providers accept.
const maxToolName = 64

// loginTools are for the daemon, never for an agent (guide §4d).
var loginTools = []string{"login_status", "logout"}

func hidden(rawName string) bool { return slices.Contains(loginTools, rawName) }

// plainName is the name of a tool where nothing is in its way: it may be too
// long, or another tool may have it too.
func plainName(connector, tool string) string {
	return "mcp__" + legal(connector) + "__" + legal(tool)
}

// distinctName fits the limit and is told apart by a hash of both real names,
// whatever other tools there are.
func distinctName(connector, tool string) string {
	sum := sha256.Sum256([]byte(connector + "\x00" + tool))
	suffix := "_" + hex.EncodeToString(sum[:4])
	plain := plainName(connector, tool)
	return plain[:min(len(plain), maxToolName-len(suffix))] + suffix
}

// legal replaces what must not be in a tool name, one _ for each character.
func legal(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
}

// title follows the guide's order (§2a): the manifest, the tool itself, its name
// made readable.
func title(fromManifest, fromTool, name string) string {
	switch {
	case fromManifest != "":
		return fromManifest
	case fromTool != "":
		return fromTool
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
	}
	return cmp.Or(strings.Join(words, " "), name)
}
