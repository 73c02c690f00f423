package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// salvageTries bounds how many braces of one line are tried in vain as the
// start of a message: each costs up to the length of the line.
const salvageTries = 16

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
			return append(out, Message{ID: id, Fault: fmt.Errorf("%w: %v", ErrSyntax, err)})
		}
	}
	noise(kindOf(text), text)
	return p.salvage(out, text)
}

// salvage appends the messages that stand among other text on one line.
func (p *parser) salvage(out []Message, text []byte) []Message {
	if !bytes.Contains(text, []byte(`"jsonrpc"`)) {
		return out
	}
	for try := 0; try < salvageTries; {
		i := bytes.IndexByte(text, '{')
		if i < 0 {
			break
		}
		text = text[i:]
		got, n, err := p.value(out, text)
		if err != nil {
			n = 1
			try++
		}
		out, text = got, text[n:]
	}
	return out
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

// message reads an object of b and appends it if it is a message.
func (p *parser) message(out []Message, b []byte) ([]Message, error) {
	var m Message
	version := false
	_, err := p.dec.ReadToken()
	for err == nil && p.dec.PeekKind() != '}' {
		var name, value []byte
		if name, value, err = p.member(b); err != nil {
			break
		}
		switch string(name) {
		case `"jsonrpc"`:
			version = string(value) == `"2.0"`
		case `"id"`:
			m.ID = value
		case `"method"`:
			m.Method = unquote(value)
		case `"params"`:
			m.Params = value
		case `"result"`:
			m.Result = value
		case `"error"`:
			m.Error = value
		}
	}
	if err != nil {
		return nil, err
	}
	if string(m.Error) == "null" {
		m.Error = nil
	}
	if m.Error != nil && m.ID == nil {
		m.ID = unknown // many leave it out where the protocol wants null
	}
	if version && (m.Method != "" || m.ID != nil) {
		out = append(out, m)
	}
	_, err = p.dec.ReadToken()
	return out, err
}

// member reads a name, still quoted, and its value, as parts of b.
func (p *parser) member(b []byte) (name, value []byte, err error) {
	if name, err = p.part(b); err != nil {
		return nil, nil, err
	}
	value, err = p.part(b)
	return name, value, err
}

// part reads one value. The decoder may reuse its own copy of it, b stays.
func (p *parser) part(b []byte) ([]byte, error) {
	v, err := p.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(p.dec.InputOffset())
	return b[end-len(v) : end : end], nil
}

func unquote(v jsontext.Value) string {
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(s)
}

var contentLength = regexp.MustCompile(`(?i)^content-length:\s*\d+`)

func kindOf(text []byte) Noise {
	if contentLength.Match(text) {
		return LSP
	}
	return NotJSON
}
