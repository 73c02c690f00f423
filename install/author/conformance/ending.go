package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"majordomo/sandbox"
)

// errGone marks that there is nobody to talk to.
type errGone struct{ why string }

func (e *errGone) Error() string { return e.why }

// gone says how the process ended; it ends one that merely closed its output.
func (w *wire) gone() error {
	w.box.Stop(context.Background(), sandbox.Grace{Stdin: time.Second, Term: time.Second})
	return &errGone{"it " + exitText(w.box.Exit()) + w.lastWords()}
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

// lastWords are the last ones of its standard error.
func (w *wire) lastWords() string {
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
		w.dispatch(m, "")
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
