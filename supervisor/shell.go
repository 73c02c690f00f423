package supervisor

import (
	"regexp"
	"strings"

	"majordomo/configs/manifest"
)

// placeholder is {ENV:NAME} or {SECRET:NAME} (guide §4b).
var placeholder = regexp.MustCompile(`\{(ENV|SECRET):([^{}]*)\}`)

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// shellLine turns a verify command into a shell line in which every placeholder
// is a reference to the environment variable of that name, quoted for where it
// stands. Values are never part of the line: not as code, and not in argv. A
// placeholder of the wrong kind, or of no field, is the empty string.
func shellLine(command string, form []manifest.Env) string {
	var out strings.Builder
	var q quoting
	for {
		at := placeholder.FindStringSubmatchIndex(command)
		if at == nil {
			out.WriteString(command)
			return out.String()
		}
		q.read(command[:at[0]])
		out.WriteString(command[:at[0]])
		kind, name := command[at[2]:at[3]], command[at[4]:at[5]]
		out.WriteString(q.reference(kind, name, form))
		command = command[at[1]:]
	}
}

// quoting is where in a shell line a reader stands.
type quoting struct {
	quote   byte // ', " or 0
	escaped bool // the next byte stands for itself
}

func (q *quoting) read(text string) {
	for i := range len(text) {
		c := text[i]
		switch {
		case q.escaped:
			q.escaped = false
		case c == '\\' && q.quote != '\'':
			q.escaped = true
		case q.quote == 0 && (c == '\'' || c == '"'):
			q.quote = c
		case c == q.quote:
			q.quote = 0
		}
	}
}

// reference is the text that stands for a variable here.
func (q *quoting) reference(kind, name string, form []manifest.Env) string {
	ref := ""
	i := field(form, name)
	if i >= 0 && form[i].Secret == (kind == "SECRET") && variable.MatchString(name) {
		ref = "${" + name + "}"
	}
	q.escaped = false
	switch q.quote {
	case '"':
		return ref
	case '\'':
		return `'"` + ref + `"'`
	}
	return `"` + ref + `"`
}
