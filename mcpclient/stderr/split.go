package stderr

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitter cuts a stream into lines at \n and \r, and a line longer than max
// into pieces. A piece is cut only where no secret can straddle the cut: hold
// bytes, one less than the longest secret, stay behind until more is known.
type splitter struct {
	max, hold int
	redact    func(string) string
	emit      func(string)
	buf       []byte
}

func (s *splitter) write(chunk []byte) {
	for len(chunk) > 0 {
		i := bytes.IndexAny(chunk, "\r\n")
		if i < 0 {
			s.buf = append(s.buf, chunk...)
			s.cut()
			return
		}
		s.buf = append(s.buf, chunk[:i]...)
		chunk = chunk[i+1:]
		s.cut()
		s.flush()
	}
}

// cut emits pieces while the line is too long.
func (s *splitter) cut() {
	for len(s.buf) >= s.max+s.hold {
		whole := wholeRunes(s.buf)
		text := s.redact(string(s.buf[:whole]))
		n := runeStart(text, min(s.max, len(text)-s.hold))
		if n > 0 { // else nearly all of it was a secret
			s.emit(text[:n])
		}
		s.buf = append([]byte(text[n:]), s.buf[whole:]...)
	}
}

// wholeRunes returns the length of b without a character that has only begun.
func wholeRunes(b []byte) int {
	for n := len(b) - 1; n >= 0 && n > len(b)-utf8.UTFMax; n-- {
		if utf8.RuneStart(b[n]) {
			if utf8.FullRune(b[n:]) {
				break
			}
			return n
		}
	}
	return len(b)
}

// runeStart returns the last start of a character in s at or before n.
func runeStart(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return max(n, 0)
}

// flush emits the line that has ended; blank ones are not kept.
func (s *splitter) flush() {
	if text := s.redact(string(s.buf)); strings.TrimSpace(text) != "" {
		s.emit(text)
	}
	s.buf = s.buf[:0]
}

var escapeSequence = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)`)

// Clean makes foreign text safe to print: valid UTF-8 without terminal
// sequences and control characters. A tab becomes a space.
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	s = escapeSequence.ReplaceAllString(s, "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}
