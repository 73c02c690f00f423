package frame

import (
	"bufio"
	"bytes"
	"encoding/json"
)

// edge is how much is looked at of the two ends of a line that is too long.
const edge = 4 << 10

// line is one line of the stream, or the report that one is too long.
type line struct {
	text    []byte // owned by the receiver; of a long line only the start
	long    bool
	replyTo json.RawMessage // the id that a long line answers, if it shows
}

// lineReader splits a stream at newlines and holds at most max bytes of a line.
type lineReader struct {
	in   *bufio.Reader
	max  int
	skip bool   // inside a line that is too long
	head []byte // its start, as long as nobody knows what it answers
	tail []byte // the last bytes of it so far
}

// next returns the next line. With an error, the line is what was left. A long
// line is reported at the limit, for it may never end, and once more at its end
// if only that tells what it answers.
func (r *lineReader) next() (line, error) {
	if r.skip {
		return r.rest()
	}
	var text []byte
	for {
		chunk, err := r.in.ReadSlice('\n')
		if len(text)+len(chunk) > r.max {
			return r.tooLong(text, chunk, err)
		}
		text = append(text, chunk...)
		if err != bufio.ErrBufferFull {
			return line{text: bytes.TrimPrefix(text, bom)}, err
		}
	}
}

var bom = []byte("\xEF\xBB\xBF")

// tooLong gives up the line begun with text and chunk.
func (r *lineReader) tooLong(text, chunk []byte, err error) (line, error) {
	head := bytes.Clone(text[:min(len(text), edge)])
	head = append(head, chunk[:min(len(chunk), edge-len(head))]...)
	r.tail = lastBytes(lastBytes(r.tail[:0], text), chunk)
	reply := seekReply(head)
	if err != bufio.ErrBufferFull { // the line ended just beyond the limit
		return line{text: head, long: true, replyTo: replyID(reply, r.tail)}, err
	}
	r.skip, r.head = true, nil
	id := replyID(reply, nil)
	if string(id) == string(unknown) { // its end may tell
		r.head, id = reply, nil
	}
	return line{text: head, long: true, replyTo: id}, nil
}

// rest skips to the end of a long line.
func (r *lineReader) rest() (line, error) {
	for {
		chunk, err := r.in.ReadSlice('\n')
		r.tail = lastBytes(r.tail, chunk)
		if err == bufio.ErrBufferFull {
			continue
		}
		head := r.head
		r.skip, r.head = false, nil
		if id := replyID(head, r.tail); id != nil {
			return line{text: head, long: true, replyTo: id}, err
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
