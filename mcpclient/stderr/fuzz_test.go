package stderr

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzDrain holds the promises of the package against any bytes, however they
// come: lines are short and fit to print, and no secret is in them.
func FuzzDrain(f *testing.F) {
	const secret = "s3cret/tok"
	for _, seed := range []string{"", "one\ntwo\r\n", "\x1b[1mred\x1b[0m\r", secret + "\xff", strings.Repeat("é", 40), "x" + secret[:4] + "\x1b[0m" + secret[4:]} {
		f.Add([]byte(seed), []byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, before, after []byte, piece int) {
		r := newRedactor([]string{secret})
		var all strings.Builder
		s := splitter{max: 32, redact: r, emit: func(line string) {
			all.WriteString(line + "\n")
			if len(line) > 32+4*r.longest || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) || strings.Contains(line, secret) {
				t.Errorf("line %q", line)
			}
		}}
		in := bytes.Join([][]byte{before, []byte(secret), after}, nil)
		for piece = max(piece, 1); len(in) > 0; in = in[min(piece, len(in)):] {
			s.write(in[:min(piece, len(in))])
		}
		s.flush()
		if strings.Contains(strings.ReplaceAll(all.String(), "\n", ""), secret) {
			t.Errorf("the lines together hold it: %q", all.String())
		}
	})
}
