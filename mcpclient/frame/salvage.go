package frame

import (
	"bytes"
	"slices"
)

// salvageTries bounds how many braces of one line are tried in vain as the
// start of a message: each costs up to the length of the line.
const salvageTries = 16

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
