package frame

import "bytes"

// spread holds the lines of a value that a program prints on several of them,
// as pretty-printers do: a bracket alone, indented lines, and a bracket alone.
type spread struct {
	text []byte // nil when no value has begun
	held *Lease
}

// closes reports whether a line is a bracket alone, without indentation.
func closes(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	return len(line) == 1 && (line[0] == '}' || line[0] == ']')
}

func opens(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r\n")
	return len(line) == 1 && (line[0] == '{' || line[0] == '[')
}

// goesOn reports whether a line may stand inside a value that is spread.
func goesOn(line []byte) bool {
	inner := bytes.TrimLeft(line, " \t")
	return len(inner) < len(line) && len(inner) > 0 && bytes.IndexByte([]byte(`"{}[],-0123456789tfnNI`), inner[0]) >= 0
}

// text appends the messages of a line, and of the lines before it that were
// waiting for this one.
func (r *Reader) text(out []Message, line []byte) []Message {
	switch {
	case r.lsp.takes(line, r.noise):
		return out
	case r.spread.text == nil && !opens(line):
		return r.parse.line(out, line, r.noise)
	case r.spread.text == nil:
		r.spread = spread{held: r.lines.budget.Lease()}
		return r.wait(out, line)
	case closes(line):
		return r.gather(r.wait(out, line))
	case goesOn(line) && !r.isMessage(line):
		return r.wait(out, line)
	}
	return r.parse.line(r.scatter(out), line, r.noise)
}

// wait keeps a line for the ones to come, unless there are too many.
func (r *Reader) wait(out []Message, line []byte) []Message {
	grown, ok := r.lines.grow(r.spread.text, len(line), r.spread.held)
	if !ok || len(grown)+len(line) > r.lines.max {
		return r.parse.line(r.scatter(out), line, r.noise)
	}
	r.spread.text = append(grown, line...)
	return out
}

// gather reads the lines that waited as one.
func (r *Reader) gather(out []Message) []Message {
	text := r.spread.text
	if text == nil {
		return out
	}
	r.spread.held.Until(text)
	r.spread = spread{}
	got := r.parse.line(out, text, r.noise)
	if len(got) > len(out) {
		r.noise(Spread, text)
	}
	return got
}

// scatter reads the lines that waited as what they are, one by one.
func (r *Reader) scatter(out []Message) []Message {
	text, held := r.spread.text, r.spread.held
	r.spread = spread{}
	for line := range bytes.Lines(text) {
		out = r.parse.line(out, line, r.noise)
	}
	if held != nil {
		held.GiveBack()
	}
	return out
}

// isMessage reports whether a line is one by itself.
func (r *Reader) isMessage(line []byte) bool {
	line = bytes.TrimSpace(line)
	got, n, err := r.parse.value(nil, line)
	return err == nil && n == len(line) && len(got) > 0
}
