package supervisor

import (
	"context"
	"errors"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"majordomo/mcpclient/stderr"
	"majordomo/supervisor/vault"
)

const (
	tailLines = 20  // how much of what a process said goes into an error
	keptLines = 200 // how much is in memory
)

// journal is the standard error of one activation, across restarts. The zero
// value is one that has nothing to say yet. It is safe for concurrent use.
type journal struct {
	mu      sync.Mutex // protects the fields below
	log     *stderr.Log
	secrets []string // what log replaces
	since   time.Time
}

// open returns the log for the next start, which replaces these secrets. A log
// that cannot be kept in its file, on a full disk say, is kept in memory: that
// is no reason not to start. The error says so; trouble hears of what comes later.
func (j *journal) open(path string, sealed map[string]vault.Secret, trouble func(error)) (*stderr.Log, error) {
	secrets := reveal(sealed)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.since = time.Now()
	if j.log != nil && slices.Equal(j.secrets, secrets) {
		return j.log, nil
	}
	o := stderr.Options{Lines: keptLines, Path: path, Secrets: secrets, Trouble: trouble}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	log, openErr := stderr.New(o)
	if openErr != nil {
		o.Path = ""
		log, _ = stderr.New(o) // without a file there is nothing to fail
	}
	if j.log != nil {
		err = errors.Join(err, j.log.Close())
	}
	j.log, j.secrets = log, secrets
	return log, errors.Join(err, openErr)
}

func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log == nil {
		return nil
	}
	return j.log.Close()
}

func (j *journal) current() (*stderr.Log, time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log, j.since
}

// tail is the last that the process of the last start said.
func (j *journal) tail() []string {
	log, since := j.current()
	if log == nil {
		return nil
	}
	var lines []string
	for _, line := range log.Tail(tailLines) {
		if !line.At.Before(since) {
			lines = append(lines, line.Text)
		}
	}
	return lines
}

// note adds a line of the daemon's own.
func (j *journal) note(text string) {
	if log, _ := j.current(); log != nil {
		log.Note(text)
	}
}

func (j *journal) redact(text string) string {
	log, _ := j.current()
	if log == nil {
		return text
	}
	return log.Redact(text)
}

// lines yields what is kept, and with follow what comes.
func (j *journal) lines(ctx context.Context, follow bool) iter.Seq[LogLine] {
	return func(yield func(LogLine) bool) {
		log, _ := j.current()
		if log == nil {
			return
		}
		kept := slices.Values(log.Tail(keptLines))
		if follow {
			kept = log.Follow(ctx, keptLines)
		}
		for line := range kept {
			if !yield(LogLine(line)) {
				return
			}
		}
	}
}

func reveal(sealed map[string]vault.Secret) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(sealed)) {
		if value := sealed[name].Reveal(); value != "" {
			all = append(all, value)
		}
	}
	return all
}
