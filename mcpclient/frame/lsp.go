package frame

import (
	"bytes"
	"regexp"
)

// lsp notices a program that frames its messages as LSP does: a header of a
// Content-Length, and perhaps a Content-Type, and an empty line.
type lsp struct {
	header []byte // as far as it has come
	among  bool   // the line before was another header, as HTTP has
}

var (
	contentLength = regexp.MustCompile(`(?i)^content-length:\s*\d+\s*$`)
	contentType   = regexp.MustCompile(`(?i)^content-type:`)
	otherHeader   = regexp.MustCompile(`^(HTTP/|[A-Za-z-]+: )`)
)

// takes reports whether a line is a part of such a header; noise is told of it
// when it is known to be one, or none.
func (l *lsp) takes(line []byte, noise func(Noise, []byte)) bool {
	blank := len(bytes.TrimSpace(line)) == 0
	switch {
	case l.header != nil && blank:
		noise(LSP, l.header)
		l.header = nil
		return true
	case l.header != nil && contentType.Match(line):
		return true
	case l.header != nil:
		noise(NotJSON, l.header)
		l.header = nil
	case !l.among && contentLength.Match(line):
		l.header = bytes.TrimSpace(line)
		return true
	}
	if !blank {
		l.among = len(line) < edge && otherHeader.Match(line) && !contentType.Match(line)
	}
	return false
}
