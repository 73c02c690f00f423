package frame

import (
	"bufio"
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// edge is how much is looked at of the two ends of a line that is too long.
const edge = 4 << 10

// line is one line of the stream, or the report that one was given up.
type line struct {
	text    []byte          // owned by the receiver; only the start of one given up
	fault   error           // why it was given up: ErrTooLong or ErrNoRoom
	replyTo json.RawMessage // the id that it would have answered, if it shows
}

// lineReader splits a stream at newlines and holds at most max bytes of a line.
type lineReader struct {
	in      *bufio.Reader
	max     int
	budget  *Budget
	done    <-chan struct{}
	skipped func(int)
	skip    error  // why the line that is being read was given up
	head    []byte // its start, as long as nobody knows what it answers
	tail    []byte // the last bytes of it so far
}

// next returns the next line. With an error, the line is what was left. A long
// line is reported at the limit, for it may never end, and once more at its end
// if only that tells what it answers.
func (r *lineReader) next() (line, error) {
	if r.skip != nil {
		return r.rest()
	}
	var text []byte
	held := r.budget.Lease()
	for {
		chunk, err := r.in.ReadSlice('\n')
		if len(text)+len(chunk) > r.max {
			held.GiveBack()
			return r.giveUp(ErrTooLong, text, chunk, err)
		}
		grown, ok := r.grow(text, len(chunk), held)
		if !ok {
			held.GiveBack()
			return r.giveUp(ErrNoRoom, text, chunk, err)
		}
		text = append(grown, chunk...)
		if err != bufio.ErrBufferFull {
			text = repaired(bytes.TrimPrefix(text, bom))
			held.Until(text)
			return line{text: text}, err
		}
	}
}

// grow makes room for n more bytes of a line.
func (r *lineReader) grow(text []byte, n int, held *Lease) ([]byte, bool) {
	need := len(text) + n
	if r.budget == nil || need <= cap(text) || need <= unbudgeted {
		return text, true
	}
	size := min(max(need, 2*cap(text)), r.max)
	if !held.Take(size-int(held.bytes), r.done) {
		return text, false
	}
	grown := make([]byte, len(text), size)
	copy(grown, text)
	return grown, true
}

// repaired is text with whatever is not UTF-8 replaced.
func repaired(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	return bytes.ToValidUTF8(text, []byte("\uFFFD"))
}

var bom = []byte("\xEF\xBB\xBF")

// giveUp gives up the line begun with text and chunk.
func (r *lineReader) giveUp(why error, text, chunk []byte, err error) (line, error) {
	head := bytes.Clone(text[:min(len(text), edge)])
	head = append(head, chunk[:min(len(chunk), edge-len(head))]...)
	r.tail = lastBytes(lastBytes(r.tail[:0], text), chunk)
	reply := seekReply(head)
	if err != bufio.ErrBufferFull { // the line ended just beyond the limit
		return line{text: head, fault: why, replyTo: replyID(reply, r.tail)}, err
	}
	r.skip, r.head = why, nil
	id := replyID(reply, nil)
	if string(id) == string(unknown) { // its end may tell
		r.head, id = reply, nil
	}
	return line{text: head, fault: why, replyTo: id}, nil
}

// rest skips to the end of a long line.
func (r *lineReader) rest() (line, error) {
	for {
		chunk, err := r.in.ReadSlice('\n')
		r.tail = lastBytes(r.tail, chunk)
		r.skipped(len(chunk))
		if err == bufio.ErrBufferFull {
			continue
		}
		head, why := r.head, r.skip
		r.skip, r.head = nil, nil
		if id := replyID(head, r.tail); id != nil {
			return line{text: head, fault: why, replyTo: id}, err
		}
		return line{}, err
	}
}

// lastBytes appends chunk to tail, of which it keeps the last edge bytes.
func lastBytes(tail, chunk []byte) []byte {
	chunk = chunk[max(0, len(chunk)-edge):]
	if over := len(tail) + len(chunk) - edge; over > 0 {
		tail = append(tail[:0], tail[over:]...)
	}
	return append(tail, chunk...)
}
