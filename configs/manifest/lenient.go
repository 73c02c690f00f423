package manifest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object of a stranger, read member by member: what is absent
// or null is empty, what has the wrong type is a Problem and empty, and what is
// unknown is ignored. Duplicate names and invalid UTF-8 are not JSON to us: two
// readers could see two different documents in them.
type object struct {
	members  map[string]jsontext.Value
	where    string // document and path, e.g. "connector.json: env[2]"
	problems *[]Problem
	severity string // of a member of the wrong type
}

// parseObject reads one document or part of one.
func parseObject(data []byte, where string, problems *[]Problem) (object, error) {
	o := object{where: where, problems: problems, severity: Warning}
	err := json.Unmarshal(data, &o.members)
	if err == nil && o.members == nil {
		err = fmt.Errorf("it is null")
	}
	return o, err
}

// strict returns o with wrong types as errors: for members that decide what
// runs, as opposed to what is shown.
func (o object) strict() object {
	o.severity = Error
	return o
}

// A document can be wrong in more ways than anybody reads, each a few bytes long
// and a sentence in memory. Warnings stop long before errors do, so that an error
// is never the one that there is no room for.
const (
	maxWarnings = 100
	maxProblems = 200
)

func (o object) report(severity, key, format string, args ...any) {
	if n := len(*o.problems); n >= maxProblems || n >= maxWarnings && severity == Warning {
		return
	}
	*o.problems = append(*o.problems, Problem{
		Severity: severity,
		Where:    o.at(key),
		What:     oneLine(fmt.Sprintf(format, args...)),
	})
}

func (o object) at(key string) string {
	switch {
	case key == "":
		return strings.TrimSuffix(o.where, ":")
	case strings.HasSuffix(o.where, ":"):
		return o.where + " " + key
	}
	return o.where + "." + key
}

func (o object) has(key string) bool {
	v := o.members[key]
	return v != nil && v.Kind() != 'n'
}

// read decodes a member into dst and reports whether there was one.
func (o object) read(key, want string, dst any) bool {
	if !o.has(key) {
		return false
	}
	if err := json.Unmarshal(o.members[key], dst); err != nil {
		o.report(o.severity, key, "want %s, got %.60s", want, o.members[key])
		return false
	}
	return true
}

// str returns a string that is safe to print.
func (o object) str(key string) string {
	var s string
	if !o.read(key, "a string", &s) {
		return ""
	}
	return o.printable(key, s)
}

func (o object) boolean(key string) bool {
	var b bool
	o.read(key, "true or false", &b)
	return b
}

// integer accepts a number and, as older feeds wrote it, a numeric string. What
// is neither counts as absent.
func (o object) integer(key string) (n int64, ok bool) {
	if !o.has(key) {
		return 0, false
	}
	text := strings.Trim(o.members[key].String(), `"`)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		o.report(o.severity, key, "want a whole number, got %.60s", o.members[key])
		return 0, false
	}
	return n, true
}

// strs returns the strings of a list.
func (o object) strs(key string) []string {
	var out []string
	if !o.read(key, "a list of strings", &out) {
		return nil
	}
	for i := range out {
		out[i] = o.printable(key, out[i])
	}
	return out
}

// sub returns the object behind key.
func (o object) sub(key string) (object, bool) {
	if !o.has(key) {
		return object{}, false
	}
	sub, err := parseObject(o.members[key], o.at(key), o.problems)
	if err != nil {
		o.report(o.severity, key, "want an object, got %.60s", o.members[key])
		return object{}, false
	}
	sub.severity = o.severity
	return sub, true
}

// each calls f for every object of the list behind key.
func (o object) each(key string, f func(i int, item object)) {
	var items []jsontext.Value
	if !o.read(key, "a list of objects", &items) {
		return
	}
	for i, raw := range items {
		name := fmt.Sprintf("%s[%d]", key, i)
		item, err := parseObject(raw, o.at(name), o.problems)
		if err != nil {
			o.report(o.severity, name, "want an object, got %.60s", raw)
			continue
		}
		item.severity = o.severity
		f(i, item)
	}
}

// printable replaces control characters: these texts reach terminals, logs and
// file names, and a publisher has no honest use for them there.
func (o object) printable(key, s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	o.report(Error, key, "it contains control characters")
	return replaceControl(s)
}
