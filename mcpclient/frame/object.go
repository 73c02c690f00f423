package frame

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

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
