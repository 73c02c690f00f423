package frame

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// replyID finds the id that a line answers although the line as a whole cannot
// be read: in its start, or in its end, where some write it. nil if it does not
// show, or the line does not look like a reply.
func replyID(start, end []byte) json.RawMessage {
	id, reply := startID(start)
	if !reply {
		return nil
	}
	if id == nil {
		if m := endID.FindSubmatch(end[max(0, len(end)-edge):]); m != nil {
			id = m[1]
		}
	}
	return bytes.Clone(id)
}

// endID matches the last members of a reply that ends with its id.
var endID = regexp.MustCompile(`"id"\s*:\s*(-?[0-9.]+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

// startID reads the members of an object up to its result or error, which need
// not be whole.
func startID(b []byte) (id json.RawMessage, reply bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if dec.PeekKind() != '{' {
		return nil, false
	}
	_, err := dec.ReadToken()
	for err == nil {
		var name, value jsontext.Value
		if name, err = dec.ReadValue(); err != nil {
			break
		}
		isID := string(name) == `"id"`
		if s := string(name); s == `"result"` || s == `"error"` {
			return id, true
		}
		if value, err = dec.ReadValue(); err == nil && isID {
			id = json.RawMessage(value.Clone())
		}
	}
	return nil, false
}
