package install

import (
	"slices"
	"sync"
	"time"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
)

// Phases of an install, in order.
const (
	PhasePlan     = "plan"
	PhaseDownload = "download"
	PhaseSwap     = "swap"
	PhaseDone     = "done"
)

// Event is one step of an install's progress. What counts something says so far;
// nothing in it goes back while the phase lasts.
type Event struct {
	ID         string
	Phase      string
	File       string // the file that was just finished; "" = none was
	Files      int
	FilesTotal int
	Bytes      int64         // received
	BytesTotal int64         // never less than Bytes; 0 = not known, because a file does not declare its size
	Percent    int           // of the bytes, 0…100; -1 = not known
	ETA        time.Duration // of this phase, in whole seconds, by the speed of late; 0 = not known
}

// reportEvery is how long bytes may come without an event. Files and phases are
// reported at once.
const reportEvery = 200 * time.Millisecond

// progress turns what the downloads do into a stream of events.
type progress struct {
	report func(Event)

	mu       sync.Mutex // protects the fields below, and keeps reports apart
	event    Event
	sized    bool // BytesTotal is known
	rate     rate
	reported time.Time
}

func newProgress(r Request) *progress {
	p := &progress{report: r.Progress, event: Event{ID: r.ID, Percent: -1}}
	if p.report == nil {
		p.report = func(Event) {}
	}
	return p
}

// enter begins a phase.
func (p *progress) enter(phase string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.event.Phase, p.event.Percent, p.event.ETA = phase, -1, 0
	p.tellLocked("")
}

// start begins the download of these files.
func (p *progress) start(files []manifest.File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.event.Phase, p.event.FilesTotal = PhaseDownload, len(files)
	p.rate = newRate(time.Now())
	if p.sized = !slices.ContainsFunc(files, unsized); p.sized {
		for _, f := range files {
			p.event.BytesTotal += f.Size
		}
	}
	p.tellLocked("")
}

// unsized reports whether a file does not say how large it is: 0 may also mean
// that it is empty, which its digest tells.
func unsized(f manifest.File) bool { return f.Size <= 0 && f.SHA256 != digest.Of(nil) }

func (p *progress) tellLocked(file string) {
	p.reported = time.Now()
	e := &p.event
	e.File = file
	if e.Phase == PhaseDownload && p.sized {
		e.Percent = max(e.Percent, p.percentLocked())
		e.ETA = p.rate.until(p.reported, e.BytesTotal-e.Bytes)
	}
	p.report(*e)
}

// percentLocked keeps the last percent for the last file: what was declared may
// not be all.
func (p *progress) percentLocked() int {
	e := p.event
	switch {
	case e.Files == e.FilesTotal:
		return 100
	case e.BytesTotal == 0:
		return 0
	}
	return min(99, int(e.Bytes*100/e.BytesTotal))
}
