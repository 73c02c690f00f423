package conformance

import (
	"bytes"
	"fmt"
	"io"
)

// lineStarts watches a stream for lines that do not begin a JSON object. What reads
// messages forgives many of them; a strict client forgives none.
type lineStarts struct {
	report func(line string)
	begun  bool   // inside a line
	line   []byte // the start of a bad line, nil in a good one
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func (l *lineStarts) Write(p []byte) {
	for len(p) > 0 {
		if !l.begun {
			if p = bytes.TrimLeft(p, " \t\r\n"); len(p) == 0 {
				return
			}
			l.begun = true
			if p[0] != '{' {
				l.line = []byte{}
			}
		}
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		if l.line != nil {
			l.line = append(l.line, part[:min(len(part), max(0, 200-len(l.line)))]...)
		}
		if ended {
			l.flush()
		}
		p = rest
	}
}

// flush ends a line.
func (l *lineStarts) flush() {
	switch {
	case bytes.HasPrefix(l.line, byteOrderMark):
		l.report("a byte order mark at the start")
	case l.line != nil:
		l.report(clip(l.line))
	}
	l.begun, l.line = false, nil
}

// teeReader shows what it reads to a lineStarts.
type teeReader struct {
	io.Reader
	seen *lineStarts
}

func (t teeReader) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	t.seen.Write(p[:n])
	if err != nil {
		t.seen.flush()
	}
	return n, err
}

// clip is the start of a text, fit for a sentence.
func clip(text []byte) string {
	const most = 100
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
