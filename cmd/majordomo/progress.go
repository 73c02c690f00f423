package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"majordomo/supervisor/api"
)

// redraw is how often a line is drawn that nothing new came for.
const redraw = 250 * time.Millisecond

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
