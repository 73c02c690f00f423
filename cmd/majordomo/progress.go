package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/term"

	"majordomo/supervisor/api"
)

const (
	redraw = 250 * time.Millisecond // how often a line is drawn that nothing new came for
	stale  = 3 * time.Second        // after which what was said to be left is no longer believed
)

// progress shows on stderr what a long operation does: on a terminal in one line that is drawn over and erased at the
// end, elsewhere in one plain line for each step.
type progress struct {
	out   io.Writer
	width func() int // of the terminal, in columns; nil = there is none

	mu      sync.Mutex // protects the fields below
	last    api.Progress
	arrived time.Time // when last came; zero = nothing came yet
	begun   time.Time // of the step
	drawn   bool
	done    chan struct{} // ends the goroutine that draws; nil = there is none
	ended   sync.WaitGroup
}

// watched does something long and shows how it goes on. With --json it shows nothing: the result says it all.
func watched[R any](a *app, do func(show func(api.Progress)) (R, error)) (R, error) {
	if a.json {
		return do(nil)
	}
	p := newProgress(a.err, a.columns())
	defer p.end()
	return do(p.show)
}

// columns returns how to ask for the width of the terminal at stderr, or nil where nothing can be drawn.
func (a *app) columns() func() int {
	if !isTerminal(a.err) || a.getenv("TERM") == "dumb" {
		return nil
	}
	fd := int(a.err.(*os.File).Fd())
	return func() int {
		width, _, err := term.GetSize(fd)
		if err != nil || width <= 0 {
			return 80
		}
		return width
	}
}

// newProgress may start a goroutine; end waits for it.
func newProgress(out io.Writer, width func() int) *progress {
	p := &progress{out: out, width: width}
	if width != nil {
		p.done = make(chan struct{})
		p.ended.Go(p.tick)
	}
	return p
}

func (p *progress) show(next api.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	news := p.arrived.IsZero() || next.Phase != p.last.Phase || next.Message != p.last.Message
	now := time.Now()
	switch {
	case news:
		p.begun = now.Add(-time.Duration(next.ElapsedMS) * time.Millisecond)
	case next.Detail == "":
		next.Detail = p.last.Detail
	}
	p.last, p.arrived = next, now
	if p.width != nil {
		p.drawLocked()
	} else if news {
		fmt.Fprintln(p.out, headline(next)+size(next))
	}
}

// end leaves the terminal as if nothing had been drawn.
func (p *progress) end() {
	if p.done == nil {
		return
	}
	close(p.done)
	p.ended.Wait()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// tick lets time go by on the line while nothing comes.
func (p *progress) tick() {
	every := time.NewTicker(redraw)
	defer every.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-every.C:
			p.mu.Lock()
			if !p.arrived.IsZero() {
				p.drawLocked()
			}
			p.mu.Unlock()
		}
	}
}

// drawLocked leaves the last column free: a terminal that is full to it goes to the next line.
func (p *progress) drawLocked() {
	fmt.Fprint(p.out, "\r"+cut(line(p.last, time.Since(p.arrived), time.Since(p.begun)), p.width()-1)+"\x1b[K")
	p.drawn = true
}

// line is everything there is to say, so long after it came and after its step began.
func line(p api.Progress, since, took time.Duration) string {
	text := headline(p)
	if p.Percent != nil {
		text += fmt.Sprintf(" %d%%", *p.Percent)
	}
	text += counts(p)
	left := time.Duration(p.ETAMS)*time.Millisecond - since
	switch {
	case p.ETAMS > 0 && since < stale:
		text += ", " + clock(max(left, time.Second)) + " left"
	case took >= time.Second:
		text += ", " + clock(took)
	}
	if p.Detail != "" {
		text += "  " + oneLine(p.Detail)
	}
	return text
}

func headline(p api.Progress) string {
	text := p.Phase
	if p.Message != "" {
		text += ": " + p.Message
	}
	return oneLine(text)
}

// size is what a download will be.
func size(p api.Progress) string {
	switch {
	case p.FilesTotal == 0:
		return ""
	case p.BytesTotal == 0:
		return fmt.Sprintf(": %d files", p.FilesTotal)
	}
	return fmt.Sprintf(": %d files, %s", p.FilesTotal, amount(p.BytesTotal))
}

func counts(p api.Progress) string {
	if p.FilesTotal == 0 {
		return ""
	}
	files := fmt.Sprintf(", %d/%d files", p.Files, p.FilesTotal)
	if p.BytesTotal == 0 {
		return " " + amount(p.Bytes) + files
	}
	return " " + amount(p.Bytes) + "/" + amount(p.BytesTotal) + files
}

// amount is a number of bytes for a person.
func amount(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

func clock(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// cut shortens a line to so many columns. A character that may be wide counts as two: a line that is too short harms nobody.
func cut(s string, columns int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r >= 0x1100:
			columns -= 2
		default:
			columns--
		}
		if columns < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
