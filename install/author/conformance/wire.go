package conformance

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"majordomo/mcpclient/frame"
	"majordomo/mcpclient/stderr"
	"majordomo/sandbox"
)

// maxLine is the longest line that is taken for a message.
const maxLine = 8 << 20

// wire is one started process and what it prints.
type wire struct {
	box      *sandbox.Process
	log      *stderr.Log
	messages chan frame.Message // closed at the end of its output
	quit     chan struct{}      // closed when nobody receives any more
	readers  sync.WaitGroup
	stop     <-chan struct{} // closed when the run is to end early
	last     int             // id of the last request

	strays []stray // since they were last taken

	mu    sync.Mutex // protects noise
	noise []string   // what it printed that is not one message a line
}

func (p *place) start(ctx context.Context) (*wire, error) {
	spec, err := p.spec(ctx)
	if err != nil {
		return nil, err
	}
	log, err := stderr.New(stderr.Options{Secrets: p.secrets()})
	if err != nil {
		return nil, err
	}
	box, err := p.host.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	w := &wire{box: box, log: log, messages: make(chan frame.Message), quit: make(chan struct{}), stop: ctx.Done()}
	w.readers.Go(func() { log.Drain(box.Stderr) })
	w.readers.Go(w.read)
	return w, nil
}

// read takes the output apart. The lines that hold anything but one message are
// noise; a message in the middle of such a line is still taken, so that one fault
// does not hide the others.
func (w *wire) read() {
	defer close(w.messages)
	starts := &lineStarts{report: w.note}
	reader := frame.NewReader(teeReader{w.box.Stdout, starts}, frame.Options{
		Max: maxLine,
		Noise: func(kind frame.Noise, text []byte) {
			if bytes.HasPrefix(text, []byte("{")) { // the others are told by how they start
				w.note(fmt.Sprintf("%s (%s)", clip(text), kind))
			}
		},
	})
	for {
		m, err := reader.Next()
		if err != nil {
			return
		}
		select {
		case w.messages <- m:
		case <-w.quit:
		}
	}
}

func (w *wire) note(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.noise = append(w.noise, line)
}
