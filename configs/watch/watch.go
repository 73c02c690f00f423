// Package watch tells when a file has other contents than before, however an editor or a tool puts them there.
//
// It reads that one file, the links that lead to it and the names beside these; it must never write. A Watch owns one goroutine and
// those of fsnotify, which end before Close returns.
package watch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// rest is how long nothing may happen to the file before it is read: editors write in steps, and rename.
const rest = 200 * time.Millisecond

// later is when a file is looked at again that cannot be watched for the time being.
const later = 10 * time.Second

// Watch watches one file, which may be missing.
type Watch struct {
	file   string
	notify *fsnotify.Watcher
	names  []string // whose events count; see route
	poke   chan struct{}
	done   chan struct{}
}

// File calls changed, one call after the other, when the bytes of the file are not those it had: in the beginning, those
// it has now. A file that is gone has no bytes.
func File(file string, changed func()) (*Watch, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch %s: %w", file, err)
	}
	w := &Watch{file: file, notify: notify, poke: make(chan struct{}, 1), done: make(chan struct{})}
	if err := w.follow(); err != nil {
		_ = notify.Close()
		return nil, fmt.Errorf("cannot watch %s: %w", file, err)
	}
	go w.run(w.read(), changed)
	return w, nil
}

// Look reads the file soon, whether anything was seen to happen or not. It never blocks.
func (w *Watch) Look() {
	select {
	case w.poke <- struct{}{}:
	default:
	}
}

// Close ends the watch, after a call of changed that is under way.
func (w *Watch) Close() error {
	err := w.notify.Close()
	<-w.done
	return err
}

func (w *Watch) run(last []byte, changed func()) {
	defer close(w.done)
	settle := time.NewTimer(rest)
	settle.Stop()
	defer settle.Stop()
	for {
		select {
		case e, open := <-w.notify.Events:
			if !open {
				return
			}
			if slices.Contains(w.names, e.Name) && !e.Has(fsnotify.Chmod) {
				settle.Reset(rest)
			}
		case _, open := <-w.notify.Errors: // events may have been lost
			if !open {
				return
			}
			settle.Reset(rest)
		case <-w.poke:
			settle.Reset(rest) // it may be being written
		case <-settle.C:
			if w.follow() != nil {
				settle.Reset(later) // a name went while it was looked at, or the machine is short of watches
			}
			if now := w.read(); !bytes.Equal(now, last) {
				last = now
				changed()
			}
		}
	}
}

// maxFile is more than any configuration has; what lies behind is not compared.
const maxFile = 1 << 20

// read returns the file's first bytes; nil where there is none.
func (w *Watch) read() []byte {
	f, err := os.Open(w.file)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, maxFile)) // what could be read is compared
	return data
}
