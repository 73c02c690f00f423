package screen

import (
	"fmt"
	"io"
	"sync"
	"time"

	"majordomo/supervisor/api"
)

// redraw is how often a line is drawn that nothing new came for.
const redraw = 250 * time.Millisecond

// Progress shows what a long operation does: on a terminal in one line that is drawn over and erased at the end, elsewhere
// in one plain line for each step. It is safe for concurrent use.
type Progress struct {
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

// NewProgress shows on out; width tells the columns of the terminal there, nil that there is none. It may start a
// goroutine; End waits for it.
func NewProgress(out io.Writer, width func() int) *Progress {
	p := &Progress{out: out, width: width}
	if width != nil {
		p.done = make(chan struct{})
		p.ended.Go(p.tick)
	}
	return p
}

// Show shows the next thing that is known.
func (p *Progress) Show(next api.Progress) {
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

// End leaves the terminal as if nothing had been drawn.
func (p *Progress) End() {
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
func (p *Progress) tick() {
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
func (p *Progress) drawLocked() {
	fmt.Fprint(p.out, "\r"+cut(line(p.last, time.Since(p.arrived), time.Since(p.begun)), p.width()-1)+"\x1b[K")
	p.drawn = true
}
