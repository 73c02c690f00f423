package deps

import (
	"os"
	"regexp"
	"strings"
)

// npmVariables are the settings in npm_config_ variables. npm ignores empty ones.
func npmVariables(environ []string) map[string]string {
	all := map[string]string{}
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		const prefix = "npm_config_"
		if len(name) <= len(prefix) || !strings.EqualFold(name[:len(prefix)], prefix) || value == "" {
			continue
		}
		key := name[len(prefix):]
		if !strings.HasPrefix(key, "//") {
			key = strings.ToLower(key[:1] + strings.ReplaceAll(key[1:], "_", "-"))
		}
		all[key] = value
	}
	return all
}

// npmrc reads the settings of one file; one that is not there has none. Lists have their items joined as in a variable.
func (b *Builder) npmrc(file string) map[string]string {
	all := map[string]string{}
	data, err := os.ReadFile(file)
	if err != nil {
		return all
	}
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		key, value = b.expand(strings.TrimSpace(key)), b.expand(unquote(strings.TrimSpace(value)))
		if item, list := strings.CutSuffix(key, "[]"); list {
			if value = strings.ReplaceAll(value, `\n`, "\n"); all[item] != "" {
				value = all[item] + "\n\n" + value
			}
			key = item
		}
		if key != "" && !strings.ContainsAny(key[:1], "#;[") {
			all[key] = value
		}
	}
	return all
}

func unquote(value string) string {
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\??\}`)

// expand puts the values of ${NAME} in; npm leaves a name that is not set as it is, and takes ${NAME?} for nothing then.
func (b *Builder) expand(text string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string {
		name, optional := strings.CutSuffix(v[2:len(v)-1], "?")
		if value := b.getenv(name); value != "" || optional {
			return value
		}
		return v
	})
}
