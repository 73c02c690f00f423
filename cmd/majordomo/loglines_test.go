package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// stuck is a writer that waits to be let go before each write.
type stuck struct {
	bytes.Buffer
	let chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	<-s.let
	return s.Buffer.Write(p)
}

// Nobody takes the lines: whoever logs goes on, and what was lost is told once they are taken again.
func TestLogThatNobodyTakes(t *testing.T) {
	out := &stuck{let: make(chan struct{})}
	l := newLogLines(out, lostLinesText)
	const lines = waitingLines + 100
	for n := range lines {
		fmt.Fprintln(l, "line", n)
	}
	close(out.let)
	l.Close()
	var lost int
	told := strings.Count(out.String(), "log lines were lost")
	fmt.Sscan(out.String(), &lost)
	if at := strings.Index(out.String(), " log lines were lost"); at >= 0 {
		fmt.Sscan(out.String()[strings.LastIndex(out.String()[:at], "\n")+1:], &lost)
	}
	if kept := strings.Count(out.String(), "line "); kept+lost != lines || told != 1 || lost == 0 {
		t.Errorf("of %d lines %d were written and %d told to be lost, in %d sentences", lines, kept, lost, told)
	}
}
