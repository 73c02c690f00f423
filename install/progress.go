package install

import (
	"io"
	"sync"

	"majordomo/configs/manifest"
)

// Phases of an install, in order.
const (
	PhasePlan     = "plan"
	PhaseDownload = "download"
	PhaseSwap     = "swap"
	PhaseDone     = "done"
)

// Event is one step of an install's progress.
type Event struct {
	ID         string `json:"id"`
	Phase      string `json:"phase"`
	File       string `json:"file,omitempty"` // the file that was just finished
	Files      int    `json:"files"`          // finished so far
	FilesTotal int    `json:"files_total"`
	Bytes      int64  `json:"bytes"` // received so far
	BytesTotal int64  `json:"bytes_total"`
}

// stride is how many bytes pass between two events of a download.
const stride = 1 << 20

// progress turns what the downloads do into a stream of events.
type progress struct {
	report func(Event)

	mu       sync.Mutex // protects the fields below, and keeps reports apart
	event    Event
	reported int64 // event.Bytes when last reported
}

func newProgress(r Request) *progress {
	p := &progress{report: r.Progress, event: Event{ID: r.ID}}
	if p.report == nil {
		p.report = func(Event) {}
	}
	return p
}

// update changes the event and reports it.
func (p *progress) update(change func(*Event)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.event.File = ""
	change(&p.event)
	p.reported = p.event.Bytes
	p.report(p.event)
}

func (p *progress) start(files []manifest.File) {
	p.update(func(e *Event) {
		e.Phase, e.FilesTotal = PhaseDownload, len(files)
		for _, f := range files {
			e.BytesTotal += f.Size
		}
	})
}

func (p *progress) finished(file string) {
	p.update(func(e *Event) { e.Files++; e.File = file })
}

// received counts bytes and reports them now and then.
func (p *progress) received(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.event.Bytes += int64(n)
	if p.event.Bytes-p.reported >= stride {
		p.event.File = ""
		p.reported = p.event.Bytes
		p.report(p.event)
	}
}

func (p *progress) counting(w io.Writer) io.Writer { return counter{w, p} }

type counter struct {
	w io.Writer
	p *progress
}

func (c counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.p.received(n)
	return n, err
}
