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
	text    []byte            // owned by the receiver; only the start of one given up
	fault   error             // why it was given up: ErrTooLong or ErrNoRoom
	replyTo []json.RawMessage // the ids that it would have answered, as far as they show
}

// lineReader splits a stream at newlines and holds at most max bytes of a line.
type lineReader struct {
	in      *bufio.Reader
	max     int
	budget  *Budget
	done    <-chan struct{}
	skipped func(int)
	skip    error     // why the line that is being read was given up
	batch   *batchIDs // what it answers, if it is a batch
	head    []byte    // its start, as long as nobody knows what it answers
	tail    []byte    // the last bytes of it so far
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
	if !held.Grow(size, r.done) {
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
	ended := err != bufio.ErrBufferFull // just beyond the limit
	if !ended {
		r.skip, err = why, nil
	}
	if isBatch(head) {
		return line{text: head, fault: why, replyTo: r.giveUpBatch(text, chunk, ended)}, err
	}
	r.tail = lastBytes(lastBytes(r.tail[:0], text), chunk)
	reply := seekReply(head)
	if ended {
		return line{text: head, fault: why, replyTo: single(replyID(reply, r.tail))}, err
	}
	r.head = nil
	id := replyID(reply, nil)
	if string(id) == string(unknown) { // its end may tell
		r.head, id = reply, nil
	}
	return line{text: head, fault: why, replyTo: single(id)}, nil
}

// giveUpBatch returns what the part of a batch answers that was read.
func (r *lineReader) giveUpBatch(text, chunk []byte, ended bool) []json.RawMessage {
	ids := &batchIDs{}
	ids.write(text)
	ids.write(chunk)
	if !ended {
		r.batch = ids
	}
	return ids.take()
}

func single(id json.RawMessage) []json.RawMessage {
	if id == nil {
		return nil
	}
	return []json.RawMessage{id}
}

// rest skips to the end of a long line, or to the next call that it answers.
func (r *lineReader) rest() (line, error) {
	for {
		chunk, err := r.in.ReadSlice('\n')
		r.skipped(len(chunk))
		if err != bufio.ErrBufferFull {
			return r.restEnds(chunk), err
		}
		r.tail = lastBytes(r.tail, chunk)
		if r.batch == nil {
			continue
		}
		r.batch.write(chunk)
		if ids := r.batch.take(); len(ids) > 0 {
			return line{fault: r.skip, replyTo: ids}, nil
		}
	}
}

// restEnds says what else the line answers that ends with chunk.
func (r *lineReader) restEnds(chunk []byte) line {
	l := line{text: r.head, fault: r.skip}
	if r.batch != nil {
		r.batch.write(chunk)
		l.replyTo = r.batch.take()
	} else {
		l.replyTo = single(replyID(r.head, lastBytes(r.tail, chunk)))
	}
	r.skip, r.head, r.batch = nil, nil, nil
	if l.replyTo == nil {
		return line{}
	}
	return l
}

// lastBytes appends chunk to tail, of which it keeps the last edge bytes.
func lastBytes(tail, chunk []byte) []byte {
	chunk = chunk[max(0, len(chunk)-edge):]
	if over := len(tail) + len(chunk) - edge; over > 0 {
		tail = append(tail[:0], tail[over:]...)
	}
	return append(tail, chunk...)
}
