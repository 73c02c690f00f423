package main

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

const (
	waitingLines  = 1024        // of the log, while nobody takes them
	lastLogLines  = time.Second // how long the end of the daemon waits for them
	lostLinesJSON = `{"level":"warn","msg":"log lines were lost: nobody took them","lines":%d}` + "\n"
	lostLinesText = "%d log lines were lost: nobody took them\n"
)

// logLines writes the lines of the log on a goroutine of its own. Who reads them may stop to, as a terminal does on Ctrl-S, and the
// household must not wait for that: lines that find no room are counted and told of later. The goroutine ends with Close, and not before
// a write that hangs.
type logLines struct {
	out   io.Writer
	told  string // how the number of lost lines is told
	queue chan logLine
	lost  atomic.Int64
}

// logLine is a line, or a mark: done is closed when everything before it is written.
type logLine struct {
	text []byte
	done chan struct{}
	last bool
}

func newLogLines(out io.Writer, told string) *logLines {
	l := &logLines{out: out, told: told, queue: make(chan logLine, waitingLines)}
	go l.run()
	return l
}

func (l *logLines) run() {
	for line := range l.queue {
		if n := l.lost.Swap(0); n > 0 {
			fmt.Fprintf(l.out, l.told, n)
		}
		if line.done != nil {
			close(line.done)
		} else {
			_, _ = l.out.Write(line.text) // there is nobody else to tell
		}
		if line.last {
			return
		}
	}
}

// Write never blocks and never fails.
func (l *logLines) Write(text []byte) (int, error) {
	select {
	case l.queue <- logLine{text: bytes.Clone(text)}:
	default:
		l.lost.Add(1)
	}
	return len(text), nil
}

// Sync waits for a moment until all lines are written.
func (l *logLines) Sync() error {
	l.mark(false)
	return nil
}

// Close is Sync, after which no more is written.
func (l *logLines) Close() { l.mark(true) }

func (l *logLines) mark(last bool) {
	timer := time.NewTimer(lastLogLines)
	defer timer.Stop()
	m := logLine{done: make(chan struct{}), last: last}
	select {
	case l.queue <- m:
	case <-timer.C:
		return
	}
	select {
	case <-m.done:
	case <-timer.C:
	}
}
