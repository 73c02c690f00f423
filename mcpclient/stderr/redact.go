package stderr

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
)

// redactor replaces secrets, in the forms in which programs print them. The
// zero value replaces nothing.
type redactor struct {
	forms   map[uint32][]string // by their first bytes, the longest first
	first   *[1 << 10]uint64    // which first bytes there are, hashed; nil = there is nothing to replace
	longest int                 // bytes of the longest form
}

// shortest is the least length of a secret that is looked for: replacing every
// "7" would hide the log, not the secret.
const shortest = 4

func newRedactor(secrets []string) *redactor {
	r := &redactor{}
	for _, secret := range secrets {
		for _, line := range strings.Split(secret, "\n") { // a log line holds no more than a line of a key
			if line = strings.TrimRight(line, "\r"); len(line) >= shortest {
				r.add(spellings(line))
			}
		}
	}
	for _, forms := range r.forms {
		slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	}
	return r
}

func (r *redactor) add(forms []string) {
	if r.forms == nil {
		r.forms, r.first = map[uint32][]string{}, &[1 << 10]uint64{}
	}
	for _, form := range forms {
		if len(form) < shortest || !utf8.ValidString(form) { // lines are always valid
			continue
		}
		key := firstBytes(form)
		if !slices.Contains(r.forms[key], form) {
			r.forms[key] = append(r.forms[key], form)
			r.first[bit(key)/64] |= 1 << (bit(key) % 64)
			r.longest = max(r.longest, len(form))
		}
	}
}

func firstBytes(s string) uint32 { return binary.LittleEndian.Uint32([]byte(s[:shortest])) }

func bit(key uint32) uint32 { return key * 2654435761 >> 16 }

// find returns where forms of secrets stand in s, from left to right: where one
// begins with another, all of it.
func (r *redactor) find(s string) (found [][2]int) {
	if r.forms == nil {
		return nil
	}
	for i := 0; i+shortest <= len(s); {
		n := 0
		if key := firstBytes(s[i:]); r.first[bit(key)/64]&(1<<(bit(key)%64)) != 0 {
			n = r.at(key, s[i:])
		}
		if n > 0 {
			found = append(found, [2]int{i, i + n})
		}
		i += max(n, 1)
	}
	return found
}

// at returns the length of the longest form that s begins with.
func (r *redactor) at(key uint32, s string) int {
	for _, form := range r.forms[key] {
		if strings.HasPrefix(s, form) {
			return len(form)
		}
	}
	return 0
}

// Redactor returns what replaces these secrets in a text of any length.
func Redactor(secrets []string) func(string) string { return newRedactor(secrets).replace }

func (r *redactor) replace(s string) string {
	found := r.find(s)
	if found == nil {
		return s
	}
	var b strings.Builder
	from := 0
	for _, at := range found {
		b.WriteString(s[from:at[0]])
		b.WriteString("[redacted]")
		from = at[1]
	}
	b.WriteString(s[from:])
	return b.String()
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
	if limit <= 0 {
		return 0
	}
	for _, at := range r.find(s) {
		switch start, end := at[0], at[1]; {
		case start < limit && limit < end && start > 0:
			return start
		case start < limit && limit < end:
			return end
		}
	}
	return limit
}
