package frame

import (
	"bytes"
	"encoding/json"
)

// batchIDs finds the ids that a batch answers, of which it need not see the
// whole and keeps nothing else.
type batchIDs struct {
	depth   int
	quoted  bool // inside a string
	escaped bool // behind a backslash
	token   []byte
	name    []byte // of the member whose value comes
	id      []byte
	reply   bool // the object has a result or an error
	found   []json.RawMessage
}

// maxIDs bounds found. Nobody has so many calls in flight.
const maxIDs = 4096

// isBatch reports whether a line begins like one.
func isBatch(line []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(line[:min(len(line), edge)]), []byte("["))
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{"))
}

// write reads on.
func (s *batchIDs) write(p []byte) {
	for _, c := range p {
		if s.quoted {
			s.inString(c)
		} else {
			s.outside(c)
		}
	}
}

func (s *batchIDs) inString(c byte) {
	s.keep(c)
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '"':
		s.quoted = false
	}
}

// outside reads what is not in a string. The objects of the batch are at depth 2.
func (s *batchIDs) outside(c byte) {
	switch c {
	case '"':
		s.quoted = true
		s.keep(c)
	case '{', '[':
		if s.depth++; s.depth == 2 {
			s.token, s.name, s.id, s.reply = s.token[:0], nil, nil, false
		}
	case '}', ']':
		if s.depth == 2 {
			s.member()
			s.object()
		}
		s.depth--
	case ':':
		if s.depth == 2 {
			s.name = bytes.Clone(s.token)
			s.reply = s.reply || string(s.name) == `"result"` || string(s.name) == `"error"`
			s.token = s.token[:0]
		}
	case ',':
		if s.depth == 2 {
			s.member()
		}
	case ' ', '\t', '\r', '\n':
	default:
		s.keep(c)
	}
}

func (s *batchIDs) keep(c byte) {
	if s.depth == 2 && len(s.token) < maxName {
		s.token = append(s.token, c)
	}
}

// member ends a member of an object.
func (s *batchIDs) member() {
	if string(s.name) == `"id"` {
		s.id = bytes.Clone(s.token)
	}
	s.token, s.name = s.token[:0], nil
}

// object notes whom the object answers, once.
func (s *batchIDs) object() {
	if s.id != nil && s.reply && len(s.found) < maxIDs {
		s.found = append(s.found, s.id)
		s.id = nil
	}
}

// take returns what was found since the last time, also of an object that has
// not ended.
func (s *batchIDs) take() []json.RawMessage {
	if s.depth >= 2 {
		s.object()
	}
	found := s.found
	s.found = nil
	return found
}
