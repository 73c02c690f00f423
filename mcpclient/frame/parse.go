package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// parser takes lines apart. Its decoder is reused from line to line.
type parser struct {
	dec jsontext.Decoder
	buf bytes.Buffer
}

// line appends the messages of one line to out.
func (p *parser) line(out []Message, text []byte, noise func(Noise, []byte)) []Message {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return out
	}
	got, n, err := p.value(out, text)
	if err == nil && n == len(text) {
		if len(got) == len(out) {
			noise(NotRPC, text)
		}
		return got
	}
	if err != nil {
		// Half a reply that does not show its id may be followed by the whole one.
		half := errors.Is(err, io.ErrUnexpectedEOF)
		if id := replyID(text, text); id != nil && !(half && string(id) == string(unknown)) {
			return p.behind(append(out, Message{ID: id, Fault: syntax(err)}), text)
		}
	}
	noise(kindOf(text), text)
	found := p.salvage(out, text)
	if err != nil && isBatch(text) {
		found = unanswered(found, len(out), text, err)
	}
	return found
}

func syntax(err error) error { return fmt.Errorf("%w: %v", ErrSyntax, err) }

// wide is how every message in UTF-16 shows.
var wide = []byte("j\x00s\x00o\x00n\x00r\x00p\x00c")

func kindOf(text []byte) Noise {
	if bytes.Contains(text, wide) {
		return UTF16
	}
	return NotJSON
}

// value reads the JSON value at the start of b and appends the messages it is:
// itself, or the elements of a batch. n is its length. With an error nothing is
// appended.
func (p *parser) value(out []Message, b []byte) (_ []Message, n int, err error) {
	p.buf = *bytes.NewBuffer(b)
	p.dec.Reset(&p.buf, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	found := out
	switch p.dec.PeekKind() {
	case '{':
		found, err = p.message(out, b)
	case '[':
		found, err = p.batch(out, b)
	default:
		err = p.dec.SkipValue()
	}
	if err != nil {
		return out, 0, err
	}
	return found, int(p.dec.InputOffset()), nil
}

func (p *parser) batch(out []Message, b []byte) ([]Message, error) {
	_, err := p.dec.ReadToken()
	for err == nil && p.dec.PeekKind() != ']' {
		if p.dec.PeekKind() == '{' {
			out, err = p.message(out, b)
		} else {
			err = p.dec.SkipValue()
		}
	}
	if err != nil {
		return nil, err
	}
	_, err = p.dec.ReadToken()
	return out, err
}
