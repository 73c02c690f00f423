package deps

import (
	"slices"
	"strings"
)

// ownConfig is the connector's own npm configuration, and the keys of it that are kept. It lies between the daemon's and
// the command line: one line of it could make npm run a program, or send a token without checking who answers.
const ownConfig = ".npmrc"

var ownConfigKeys = []string{
	"registry", "legacy-peer-deps", "strict-peer-deps", "install-strategy", "install-links", "prefer-dedupe",
	"engine-strict", "bin-links", "force",
}

// keptConfig is what stays of a connector's .npmrc. Variables are none of its business: an address with
// ${npm_config_//registry/:_authToken} in it would carry the token there.
func keptConfig(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, "${") {
			continue
		}
		key, _, _ := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		scoped := strings.HasPrefix(key, "@") && strings.HasSuffix(key, ":registry")
		if scoped || slices.Contains(ownConfigKeys, key) {
			kept.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	return kept.String()
}
