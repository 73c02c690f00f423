package frame

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// unknown is the id of a reply that does not show what it answers.
var unknown = json.RawMessage("null")

// replyID finds the id that a line answers although the line as a whole cannot
// be read: in its start, or in its end, where some write it. nil if the line
// does not look like a reply, unknown if it does but the id does not show.
func replyID(start, end []byte) json.RawMessage {
	id, reply := startID(start)
	switch {
	case !reply:
		return nil
	case id != nil:
		return bytes.Clone(id)
	}
	if m := endID.FindSubmatch(end[max(0, len(end)-edge):]); m != nil {
		return bytes.Clone(m[1])
	}
	return unknown
}

// seekReply finds where in the start of a line a reply begins, behind other
// text or inside a batch. Without one it returns nil.
func seekReply(start []byte) []byte {
	for range salvageTries {
		i := bytes.IndexByte(start, '{')
		if i < 0 {
			break
		}
		if _, reply := startID(start[i:]); reply {
			return start[i:]
		}
		start = start[i+1:]
	}
	return nil
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
