package stderr

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// redactor replaces secrets, in the forms in which programs print them.
type redactor struct {
	secrets *regexp.Regexp // nil when there are none
	longest int            // bytes of the longest form
}

// shortest is the least length of a secret that is looked for: replacing every
// "7" would hide the log, not the secret.
const shortest = 4

func newRedactor(secrets []string) *redactor {
	var forms []string
	for _, secret := range secrets {
		for _, line := range strings.Split(secret, "\n") { // a log line holds no more than a line of a key
			forms = append(forms, spellings(strings.TrimRight(line, "\r"))...)
		}
	}
	forms = slices.DeleteFunc(forms, func(form string) bool {
		return len(form) < shortest || !utf8.ValidString(form) // lines are always valid
	})
	if len(forms) == 0 {
		return &redactor{}
	}
	// The longer one first: where one secret begins with another, all of it goes.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	longest := len(forms[0])
	for i, form := range forms {
		forms[i] = regexp.QuoteMeta(form)
	}
	return &redactor{secrets: regexp.MustCompile(strings.Join(forms, "|")), longest: longest}
}

// Redactor returns what replaces these secrets in a text of any length.
func Redactor(secrets []string) func(string) string { return newRedactor(secrets).replace }

// spellings returns a secret as it is, as Clean leaves it, inside a JSON
// string, and inside a URL.
func spellings(secret string) []string {
	// Encoding a string cannot fail; Go escapes more than others do.
	plain, _ := jsontext.AppendQuote(nil, secret)
	html, _ := json.Marshal(secret)
	return []string{
		secret, Clean(secret), string(plain[1 : len(plain)-1]), string(html[1 : len(html)-1]),
		url.QueryEscape(secret), url.PathEscape(secret),
	}
}

func (r *redactor) replace(s string) string {
	if r.secrets == nil {
		return s
	}
	return r.secrets.ReplaceAllLiteralString(s, "[redacted]")
}

// clean makes a line fit to be kept.
func (r *redactor) clean(s string) string { return r.replace(Clean(s)) }

// cut returns where a text that goes on may be cut, at or before limit if that
// is possible: not inside a character or a secret, nor where a secret may have
// begun of which the end is still to come.
func (r *redactor) cut(s string, limit int) int {
	limit = min(limit, len(s)-r.longest)
	for limit > 0 && limit < len(s) && !utf8.RuneStart(s[limit]) {
		limit--
	}
	if limit <= 0 || r.secrets == nil {
		return max(limit, 0)
	}
	for _, at := range r.secrets.FindAllStringIndex(s, -1) {
		switch start, end := at[0], at[1]; {
		case start < limit && limit < end && start > 0:
			return start
		case start < limit && limit < end:
			return end
		}
	}
	return limit
}
