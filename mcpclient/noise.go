package mcpclient

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"go.uber.org/zap"
	"golang.org/x/time/rate"

	"majordomo/mcpclient/frame"
	"majordomo/mcpclient/stderr"
)

// What is kept of noise: the last lines, each cut, after secrets were looked for
// in somewhat more of it.
const (
	noiseLines = 20
	noiseLine  = 200
	noiseScan  = 2 << 10
)

// A flood is read this fast, in bytes a second, after so many bytes at once. A
// line costs more than its bytes.
const (
	floodRate  = 4 << 20
	floodBurst = 16 << 20
	lineCost   = 64
)

// notes is what people are told of a connection. The reader's alone.
type notes struct {
	often   *rate.Limiter
	left    int             // out since the last note
	refused map[string]bool // methods that were mentioned
}

func newNotes() notes {
	return notes{often: rate.NewLimiter(rate.Every(5*time.Second), noiseLines), refused: map[string]bool{}}
}

// noise notes what the connector printed beside the protocol, and slows down
// one that does little else.
func (c *Conn) noise(why frame.Noise, b []byte) {
	raw := bytes.Clone(b[:min(len(b), noiseScan)])
	first := false
	c.count(func(s *Stats) {
		first = s.Noise == 0
		s.Noise++
		c.lastNoise = append(c.lastNoise, raw)
		if len(c.lastNoise) > noiseLines {
			c.lastNoise = c.lastNoise[1:]
		}
	})
	if first {
		c.opts.Log.Warn("the connector prints on its standard output, where only MCP belongs",
			zap.String("why", string(why)), zap.String("text", c.readable(raw)))
	}
	c.noteNoise(why, raw)
	if how := framing[why]; how != nil && c.heard.Load() == 0 {
		c.end(how)
	}
	c.slow(len(b) + lineCost)
}

// slow makes the reader wait when too much of what it reads is of no use.
func (c *Conn) slow(n int) { _ = c.flood.WaitN(c.ctx, min(n, floodBurst)) } // its error is the end of ctx

// readable is what a line of noise looks like to people. The end of what was looked at may be half a secret, and is left out; there is
// little else where colours are most of the line.
func (c *Conn) readable(raw []byte) string {
	text := c.opts.Redact(stderr.Clean(string(raw)))
	if len(raw) == noiseScan {
		return cut(text, min(noiseLine, max(0, len(text)-noiseScan/2)))
	}
	return cut(text, noiseLine)
}

// noteNoise passes noise on to whoever reads the connector's log, unless it is
// too much to read.
func (c *Conn) noteNoise(why frame.Noise, raw []byte) {
	if !c.notes.often.Allow() {
		c.notes.left++
		return
	}
	if c.notes.left > 0 {
		c.opts.Note(fmt.Sprintf("[stdout] (%d lines more)", c.notes.left))
		c.notes.left = 0
	}
	from := "[stdout] "
	if why != frame.NotJSON && why != frame.NotRPC {
		from = "[stdout, " + string(why) + "] "
	}
	c.opts.Note(from + c.readable(raw))
}

// noteRefusal tells people, once, what the connector wanted and cannot have.
func (c *Conn) noteRefusal(method string) {
	const mentioned = 20
	if c.notes.refused[method] || len(c.notes.refused) >= mentioned || len(method) > noiseLine {
		return
	}
	c.notes.refused[method] = true
	c.opts.Note("[majordomo] it asked for " + c.readable([]byte(method)) + ", which cannot be done here, and was answered with an error")
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
