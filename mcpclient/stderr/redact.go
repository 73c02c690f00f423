package stderr

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// redactor replaces secrets, in the forms in which programs print them.
type redactor struct {
	replacer *strings.Replacer
	longest  int // bytes of the longest form; at least 1
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
	// The longer one first, where one begins with the other.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	r := &redactor{longest: 1}
	var pairs []string
	for _, form := range slices.Compact(forms) {
		if len(form) >= shortest {
			r.longest = max(r.longest, len(form))
			pairs = append(pairs, form, "[redacted]")
		}
	}
	r.replacer = strings.NewReplacer(pairs...)
	return r
}

// spellings returns a secret as it is, as Clean leaves it, inside a JSON
// string, and inside a URL.
func spellings(secret string) []string {
	quoted, _ := json.Marshal(secret) // a string always encodes
	return []string{
		secret, Clean(secret), strings.Trim(string(quoted), `"`),
		url.QueryEscape(secret), url.PathEscape(secret),
	}
}

func (r *redactor) replace(s string) string { return r.replacer.Replace(s) }

// clean makes a line fit to be kept.
func (r *redactor) clean(s string) string { return r.replace(Clean(s)) }
