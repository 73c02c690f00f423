package manifest

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// env reads the activation form. A field whose name cannot be an environment
// variable, or is there twice, is an error: the value would never arrive.
func (m *merge) env() []Env {
	var out []Env
	seen := map[string]bool{}
	m.doc.strict().each("env", func(_ int, item object) {
		name := item.str("name")
		switch {
		case !envName.MatchString(name):
			item.report(Error, "name", "%.80q cannot be the name of an environment variable", name)
			return
		case seen[name]:
			item.report(Error, "name", "%s is declared twice", name)
			return
		}
		seen[name] = true
		out = append(out, Env{
			Name:        name,
			Label:       firstOf(item.str("label"), name),
			Description: item.str("description"),
			Example:     item.str("example"),
			Default:     item.str("default"),
			Required:    item.boolean("required"),
			Secret:      item.boolean("secret"),
		})
	})
	if out == nil && !m.doc.has("env") {
		return m.legacyEnv()
	}
	return out
}

// legacyEnv makes form fields of the keys of mcp_config.env, as manifests
// without env[] expect (guide §4b). Its values are never used: only whether
// they ask for a secret.
func (m *merge) legacyEnv() []Env {
	old, _ := m.config.sub("env")
	var out []Env
	for _, name := range slices.Sorted(maps.Keys(old.members)) {
		if !envName.MatchString(name) {
			old.report(Error, name, "%.80q cannot be the name of an environment variable", name)
			continue
		}
		secret := strings.Contains(old.members[name].String(), "{SECRET:")
		out = append(out, Env{Name: name, Label: name, Secret: secret})
	}
	return out
}

// verify reads the check and finds the shipped script it runs.
func (m *merge) verify(files []File) *Verify {
	o, ok := m.doc.strict().sub("verify")
	if !ok {
		return nil
	}
	v := &Verify{Command: o.str("command"), Timeout: VerifyTimeout}
	if v.Command == "" {
		o.report(Error, "command", "there is none")
		return nil
	}
	if secs, ok := o.integer("timeout_secs"); ok && secs > 0 && secs < int64(VerifyTimeout/time.Second) {
		v.Timeout = time.Duration(secs) * time.Second
	}
	v.Script = verifyScript(v.Command, files)
	if name := unshipped(v.Command); v.Script == "" && name != "" {
		o.report(Warning, "command", "it runs %.80q, which is not one of the files", name)
	}
	return v
}

// verifyScript finds the shipped file that command names: its path or else its
// base name, as a whole word, so that "myverify.py" is not "verify.py".
// No such file means that the command is inline and runs as it is.
func verifyScript(command string, files []File) string {
	words := commandWords(command)
	for _, same := range []func(word, file string) bool{
		func(word, file string) bool { return path.Clean(word) == file },
		func(word, file string) bool { return path.Base(word) == path.Base(file) },
	} {
		for _, f := range files {
			matches := func(word string) bool { return same(word, f.Path) }
			if !f.HostOnly() && slices.ContainsFunc(words, matches) {
				return f.Path
			}
		}
	}
	return ""
}

// unshipped returns the script of "python3 script.py", if that is the form.
func unshipped(command string) string {
	words := strings.Fields(command)
	if len(words) < 2 || strings.HasPrefix(words[1], "-") {
		return ""
	}
	if instead, known := commands[words[0]]; !known || instead != "" {
		return ""
	}
	return words[1]
}

func commandWords(command string) []string {
	return strings.FieldsFunc(command, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/", r)
	})
}
