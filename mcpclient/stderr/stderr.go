// Package stderr keeps what a connector says on its standard error: the last
// lines in memory, more of it in a rotated file, secrets replaced.
//
// It must never make the connector wait: a full disk, a slow disk or a slow
// follower loses lines, and says how many. A Log outlives the processes that
// write to it, so that it can be followed across a restart.
package stderr

import (
	"context"
	"io"
	"iter"
	"time"
)

// Options adjusts a Log. The zero value keeps 200 lines in memory and no file.
type Options struct {
	Lines   int      // kept in memory; default 200
	MaxLine int      // bytes of one line, a longer one is cut in pieces; default 8 KiB
	Path    string   // file, 0600, in a directory that exists; "" for none
	MaxFile int64    // bytes of the file before it becomes Path.1; default 5 MiB
	Secrets []string // replaced by [redacted] wherever they appear
}

// Line is one line of a log.
type Line struct {
	At   time.Time
	Text string // valid UTF-8, no control characters, no line end
}

// Log keeps lines. Safe for concurrent use.
type Log struct{}

// New opens a log. Close it to end its goroutine.
func New(o Options) (*Log, error) { return &Log{}, nil }

// Drain reads r to its end into the log. It returns when r does, and may be
// called again for the next process.
func (l *Log) Drain(r io.Reader) {}

// Tail returns the last n lines, oldest first; all that are kept when n <= 0.
func (l *Log) Tail(n int) []Line { return nil }

// Follow yields the last n lines and then each new one until ctx ends or the
// log is closed. A follower that is too slow misses lines.
func (l *Log) Follow(ctx context.Context, n int) iter.Seq[Line] { return func(func(Line) bool) {} }

// Redact replaces the secrets of this log in s.
func (l *Log) Redact(s string) string { return s }

// Close writes what is left to the file and closes it.
func (l *Log) Close() error { return nil }
