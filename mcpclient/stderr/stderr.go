// Package stderr keeps what a connector says on its standard error: the last
// lines in memory, more of it in a rotated file, secrets replaced.
//
//	pipe → pieces of lines → cleaned, redacted → ring ──→ Tail, Follow
//	                                              └→ queue → file
//
// It must never make the connector wait: a full, slow or dead disk and a slow
// follower lose lines, not time. A Log outlives the processes that write to it,
// so that it can be followed across a restart. Its one goroutine writes the
// file and ends with Close; Drain runs in a goroutine of its caller.
package stderr

import (
	"context"
	"io"
	"iter"
	"sync"
	"time"
)

// Options adjusts a Log. The zero value keeps 200 lines in memory and no file.
type Options struct {
	Lines   int      // kept in memory; default 200
	MaxLine int      // bytes of one line, a longer one comes in pieces; default 8 KiB
	Path    string   // file, 0600, in a directory that exists; "" for none
	MaxFile int64    // bytes of the file before it becomes Path.1; default 5 MiB
	Secrets []string // replaced by [redacted]; those shorter than 4 bytes are not

	// Trouble, if not nil, hears why the file does not take lines: once, until it has taken some again. It must not block.
	Trouble func(error)
}

// Line is one line of a log.
type Line struct {
	At   time.Time
	Text string // valid UTF-8, no control characters, no line end
}

// Log keeps lines. Safe for concurrent use.
type Log struct {
	maxLine int
	keep    int // lines
	redact  *redactor
	file    *file // nil for none

	mu     sync.Mutex    // protects the fields below
	ring   []Line        // the line with number n is at n % keep; grows up to that
	total  int           // lines ever added; the number of the next one
	news   chan struct{} // closed and replaced when a line is added
	closed bool
}

// New opens a log. Close it to end its goroutine.
func New(o Options) (*Log, error) {
	if o.Lines <= 0 {
		o.Lines = 200
	}
	if o.MaxLine <= 0 {
		o.MaxLine = 8 << 10
	}
	if o.MaxFile <= 0 {
		o.MaxFile = 5 << 20
	}
	l := &Log{maxLine: o.MaxLine, redact: newRedactor(o.Secrets), keep: o.Lines, news: make(chan struct{})}
	if o.Path != "" {
		f, err := openFile(o.Path, o.MaxFile, o.Trouble)
		if err != nil {
			return nil, err
		}
		l.file = f
	}
	return l, nil
}

// Drain reads r to its end into the log. It returns when r does, and may be
// called again for the next process.
func (l *Log) Drain(r io.Reader) {
	s := splitter{max: l.maxLine, redact: l.redact, emit: l.add}
	chunk := make([]byte, 4<<10)
	for {
		n, err := r.Read(chunk)
		s.write(chunk[:n])
		if err != nil {
			s.flush()
			return
		}
	}
}

// Note adds a line of the daemon's own, such as why the process ended.
func (l *Log) Note(text string) { l.add(l.redact.clean(text)) }

func (l *Log) add(text string) {
	line := Line{At: time.Now(), Text: text}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if len(l.ring) < l.keep {
		l.ring = append(l.ring, line)
	} else {
		l.ring[l.total%l.keep] = line
	}
	l.total++
	close(l.news)
	l.news = make(chan struct{})
	if l.file != nil {
		l.file.post(line)
	}
}

// Tail returns the last n lines, oldest first; all that are kept when n <= 0.
func (l *Log) Tail(n int) []Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n <= 0 {
		n = l.keep
	}
	lines, _ := l.sinceLocked(l.total - n)
	return lines
}

// sinceLocked returns the kept lines from number n on, and the next number.
func (l *Log) sinceLocked(n int) ([]Line, int) {
	var lines []Line
	for n = max(n, l.total-l.keep, 0); n < l.total; n++ {
		lines = append(lines, l.ring[n%l.keep])
	}
	return lines, n
}

// Follow yields the last n lines and then each new one until ctx ends or the
// log is closed. A follower that is too slow misses lines.
func (l *Log) Follow(ctx context.Context, n int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		l.mu.Lock()
		next := l.total - n
		l.mu.Unlock()
		for {
			var lines []Line
			l.mu.Lock()
			lines, next = l.sinceLocked(next)
			news, closed := l.news, l.closed
			l.mu.Unlock()
			for _, line := range lines {
				if ctx.Err() != nil || !yield(line) {
					return
				}
			}
			if closed {
				return
			}
			select {
			case <-news:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Redact replaces the secrets of this log in s.
func (l *Log) Redact(s string) string { return l.redact.replace(s) }

// Close ends the followers, writes what is queued to the file and closes it.
// Idempotent.
func (l *Log) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	close(l.news)
	l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.close()
}
