package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

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

// stray is an answer to nothing that was asked.
type stray struct{ id, what string }

func (s stray) String() string { return s.what + " for the id " + s.id }

// errGone marks that there is nobody to talk to.
type errGone struct{ why string }

func (e *errGone) Error() string { return e.why }

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

// send writes one line.
func (w *wire) send(line string, patience time.Duration) error {
	if w.write(line, patience) != nil {
		return w.gone()
	}
	return nil
}

func (w *wire) write(line string, patience time.Duration) error {
	if err := w.box.Stdin.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := w.box.Stdin.WriteString(line + "\n")
	return err
}

// reply is the answer to a request: Result or Error, as they came.
type reply struct{ ID, Result, Error json.RawMessage }

// ask sends a request with the next number as its id and waits for the answer.
func (w *wire) ask(method, params string, patience time.Duration) (reply, error) {
	w.last++
	return w.askAs(fmt.Sprint(w.last), method, params, patience)
}

// askAs is ask with an id, as JSON. Without params the request has none.
func (w *wire) askAs(id, method, params string, patience time.Duration) (reply, error) {
	if params != "" {
		params = `,"params":` + params
	}
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, id, method, params)
	if err := w.send(line, patience); err != nil {
		return reply{}, err
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		select {
		case <-w.stop:
			return reply{}, &errGone{"the test was interrupted"}
		case <-limit.C:
			return reply{}, &errGone{fmt.Sprintf("there was no answer to %s within %v%s", method, patience, w.words())}
		case m, ok := <-w.messages:
			if !ok {
				return reply{}, w.gone()
			}
			if r, mine := w.sort(m, id); mine {
				return r, m.Fault
			}
		}
	}
}

// sort tells the answer to id from everything else a server may send.
func (w *wire) sort(m frame.Message, id string) (reply, bool) {
	switch {
	case m.Method != "" && m.ID == nil: // a notification of its own
		return reply{}, false
	case m.Method != "":
		answer := `"error":{"code":-32601,"message":"this client offers nothing"}`
		if m.Method == "ping" {
			answer = `"result":{}`
		}
		_ = w.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer), time.Second) // if it is gone, that is seen next
		return reply{}, false
	case loose(string(m.ID)) == loose(id) || sameJSON(string(m.ID), id):
		return reply{m.ID, m.Result, m.Error}, true
	}
	what := m.Result
	if m.Error != nil {
		what = m.Error
	}
	w.strays = append(w.strays, stray{string(m.ID), clip(what)})
	return reply{}, false
}

// loose makes ids comparable that are not the same JSON but were surely meant.
func loose(id string) string { return strings.TrimSuffix(strings.Trim(id, `"`), ".0") }

// takeStrays returns the answers to nothing that was asked.
func (w *wire) takeStrays() []stray {
	all := w.strays
	w.strays = nil
	return all
}

// gone says how the process ended; it ends one that merely closed its output.
func (w *wire) gone() error {
	w.box.Stop(context.Background(), sandbox.Grace{Stdin: time.Second, Term: time.Second})
	return &errGone{"it " + exitText(w.box.Exit()) + w.words()}
}

func exitText(e sandbox.Exit) string {
	switch {
	case e.OOM:
		return "ran out of memory and was killed"
	case e.Signal != "":
		return "was killed by " + e.Signal
	}
	return fmt.Sprintf("exited with code %d", e.Code)
}

// words are the last ones of its standard error.
func (w *wire) words() string {
	select {
	case <-w.box.Done():
		w.finish() // all of them
	default:
	}
	var lines []string
	for _, line := range w.log.Tail(3) {
		lines = append(lines, line.Text)
	}
	if len(lines) == 0 {
		return ""
	}
	return "; its last words: " + strings.Join(lines, " / ")
}

// finish waits until everything that a process printed has been read. What is still
// among it is an answer to nothing.
func (w *wire) finish() {
	if w.box.Stdout.SetReadDeadline(time.Now().Add(time.Second)) != nil || w.box.Stderr.SetReadDeadline(time.Now().Add(time.Second)) != nil {
		return // closed before
	}
	for m := range w.messages {
		w.sort(m, "")
	}
	w.readers.Wait()
}

// close ends the process, whatever it is at.
func (w *wire) close() {
	w.box.Kill()
	<-w.box.Done()
	w.finish()
	close(w.quit)
	w.readers.Wait()
	_ = errors.Join(w.box.Stdin.Close(), w.box.Stdout.Close(), w.box.Stderr.Close(), w.log.Close()) // nobody needs them any more
}

// clip is the start of a text, fit for a sentence.
func clip(text []byte) string {
	const most = 100
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
