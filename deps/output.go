package deps

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"majordomo/sandbox"
)

const (
	keptLines = 400     // of one step, to find out what went wrong
	tailLines = 20      // of those, shown to people
	maxLine   = 4 << 10 // bytes of one line that are kept

	grace = time.Second // for what was printed to arrive after the last process is gone
)

// output collects what a step prints, on both pipes, so that it never has to wait for us.
type output struct {
	p       *sandbox.Process
	readers sync.WaitGroup
	hide    *strings.Replacer
	tell    func(line string) // called from two goroutines

	mu    sync.Mutex // protects the field below
	lines []string
}

func collect(p *sandbox.Process, hide []string, tell func(string)) *output {
	o := &output{p: p, hide: hider(hide), tell: tell}
	for _, pipe := range []*os.File{p.Stdout, p.Stderr} {
		o.readers.Go(func() { o.read(pipe) })
	}
	return o
}

// hider replaces secrets, the longer ones first. What is shorter than four bytes, such as a setting that is empty, hides nothing:
// replacing it would hide the message.
func hider(secrets []string) *strings.Replacer {
	var pairs []string
	for _, secret := range slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) }) {
		if len(secret) >= 4 {
			pairs = append(pairs, secret, "***")
		}
	}
	return strings.NewReplacer(pairs...)
}

// wait returns the last lines. The process is gone: what is still in the pipes is there already.
func (o *output) wait() []string {
	deadline := time.Now().Add(grace)
	o.p.Stdout.SetReadDeadline(deadline)
	o.p.Stderr.SetReadDeadline(deadline)
	o.readers.Wait()
	o.p.Stdout.Close()
	o.p.Stderr.Close()
	return o.lines
}

func (o *output) read(pipe io.Reader) {
	r := bufio.NewReaderSize(pipe, maxLine)
	for {
		line, err := r.ReadSlice('\n')
		o.add(string(line))
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of a line that is too long
			_, err = r.ReadSlice('\n')
		}
		if err != nil {
			return
		}
	}
}

func (o *output) add(line string) {
	line = o.hide.Replace(strings.TrimRight(strings.ToValidUTF8(line, "\ufffd"), "\r\n\t "))
	if line == "" {
		return
	}
	o.keep(line)
	o.tell(line)
}

func (o *output) keep(line string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines = append(o.lines, line)
	if len(o.lines) > keptLines {
		o.lines = o.lines[1:]
	}
}
