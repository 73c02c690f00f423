package frame

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

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

// behind appends the messages that stand on one line behind an object that
// cannot be read. In JSON no object begins where another ends.
func (p *parser) behind(out []Message, text []byte) []Message {
	for range salvageTries {
		i := bytes.Index(text, []byte("}{"))
		if i < 0 {
			break
		}
		text = text[i+1:]
		if got, n, err := p.value(out, text); err == nil && len(got) > len(out) {
			return p.behind(got, text[n-1:])
		}
	}
	return out
}

// unanswered appends a fault for each reply of a broken batch that is not among
// out[from:], what could be salvaged of it.
func unanswered(out []Message, from int, text []byte, err error) []Message {
	var ids batchIDs
	ids.write(text)
	known := out[from:]
	for _, id := range ids.take() {
		if !slices.ContainsFunc(known, func(m Message) bool { return bytes.Equal(m.ID, id) }) {
			out = append(out, Message{ID: id, Fault: syntax(err)})
		}
	}
	return out
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
	if m.tidy(); !version {
		m = m.withoutVersion()
	}
	if (m.Method != "" || m.ID != nil) && len(m.ID) <= maxName && len(m.Method) <= maxName {
		out = append(out, m)
	}
	_, err = p.dec.ReadToken()
	return out, err
}

// maxName is how long an id and a method may be: both are repeated in answers.
const maxName = 1 << 10

// tidy makes of m what was meant where programs write it in their own ways.
func (m *Message) tidy() {
	hasResult := m.Result != nil && string(m.Result) != "null"
	if string(m.Error) == "null" || hasResult && isEmpty(m.Error) {
		m.Error = nil
	}
	if m.Error != nil && m.ID == nil {
		m.ID = unknown // many leave it out where the protocol wants null
	}
	switch {
	case m.Method == "":
	case m.Error != nil || hasResult && m.ID != nil: // an answer that names what it answers
		m.Method = ""
	default:
		m.Result = nil
		if string(m.ID) == "null" { // what asks for no answer
			m.ID = nil
		}
	}
}

// isEmpty reports whether a value stands for nothing in some language.
func isEmpty(v json.RawMessage) bool {
	switch string(v) {
	case "false", `""`, "0", "{}", "[]":
		return true
	}
	return false
}

// withoutVersion is what is left of a message that does not say what it is: a
// reply fails its call, if there is one; all else may be somebody's log.
func (m *Message) withoutVersion() Message {
	kind := jsontext.Value(m.ID).Kind()
	if m.Method != "" || m.Result == nil && m.Error == nil || kind != '"' && kind != '0' {
		return Message{}
	}
	return Message{ID: m.ID, Fault: ErrVersion}
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

// wide is how every message in UTF-16 shows.
var wide = []byte("j\x00s\x00o\x00n\x00r\x00p\x00c")

func kindOf(text []byte) Noise {
	if bytes.Contains(text, wide) {
		return UTF16
	}
	return NotJSON
}
