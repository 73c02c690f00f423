package stderr

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitter cuts a stream into lines at \n and \r, and a line longer than max
// into pieces, but never inside a secret.
type splitter struct {
	max    int
	redact *redactor
	emit   func(string)
	buf    []byte
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
	for len(s.buf) >= s.max+s.redact.longest {
		whole := wholeLength(s.buf)
		text := Clean(string(s.buf[:whole]))
		n := s.redact.cut(text, s.max)
		if n > 0 {
			s.emit(s.redact.replace(text[:n]))
		}
		s.buf = append([]byte(text[n:]), s.buf[whole:]...)
		if n == 0 { // most of it was not printable
			return
		}
	}
}

// wholeLength returns the length of b without a character or a terminal
// sequence that has only begun.
func wholeLength(b []byte) int {
	if i := bytes.LastIndexByte(b, '\x1b'); i >= 0 && i > len(b)-32 && !escapeSequence.Match(b[i:]) {
		return i
	}
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

// flush emits the line that has ended; blank ones are not kept.
func (s *splitter) flush() {
	if text := s.redact.clean(string(s.buf)); strings.TrimSpace(text) != "" {
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
