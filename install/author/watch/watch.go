// Package watch tells when something in a folder has changed and come to rest.
//
// It says that there is something to look at, never what: whoever is told reads the folder and compares. It must never read more than
// names of directories, follow a link or write anything. A Watch owns one goroutine and those of fsnotify, which end before Close
// returns.
package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How a burst of changes becomes one.
const (
	quiet   = 150 * time.Millisecond // a folder is at rest when nothing has changed for so long
	overdue = 5 * time.Second        // whoever waits longer for that hears what keeps changing
)

// Restless says that a folder keeps changing, so that looking at it would show files half written.
type Restless struct{ Name string }

func (e *Restless) Error() string {
	return fmt.Sprintf("cannot look yet: the folder does not come to rest, something keeps writing %s", e.Name)
}

// Watch watches one folder.
type Watch struct {
	// Changed has one element when the folder has changed, and come to rest, since it was last received from: nil, or why
	// not all of it is watched any more; or a *Restless, when it does not come to rest.
	Changed <-chan error

	dir     string
	passing func(name string) bool
	changed chan error
	notify  *fsnotify.Watcher
	done    chan struct{}
}

// Dir watches a folder and what lies below it, but for names that are passing. It keeps watching for the folder's name
// when the folder is taken away.
func Dir(dir string, passing func(name string) bool) (*Watch, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, explain(dir, err)
	}
	changed := make(chan error, 1)
	w := &Watch{Changed: changed, dir: dir, passing: passing, changed: changed, notify: notify, done: make(chan struct{})}
	_ = notify.Add(filepath.Dir(dir)) // who may not read it will not see the folder come back
	if _, err = w.cover(); err != nil {
		return nil, errors.Join(err, notify.Close())
	}
	go w.run()
	return w, nil
}

// Close ends the watch.
func (w *Watch) Close() error {
	err := w.notify.Close()
	<-w.done
	return err
}

func (w *Watch) run() {
	defer close(w.done)
	rest := time.NewTimer(quiet)
	rest.Stop()
	defer rest.Stop()
	var unrest unrest
	for {
		select {
		case e, open := <-w.notify.Events:
			if !open {
				return
			}
			if !w.concerns(e) {
				continue
			}
			rest.Reset(quiet)
			if unrest.tooLong() {
				w.tell(&Restless{e.Name})
			}
		case _, open := <-w.notify.Errors: // events were lost: look at everything
			if !open {
				return
			}
			rest.Reset(quiet)
		case <-rest.C:
			unrest = 0
			more, err := w.cover()
			if more { // what was written into a new directory before it was watched is seen by another look
				rest.Reset(quiet)
			}
			w.tell(err)
		}
	}
}

// unrest is when changes began that have not come to rest yet; 0 = at rest.
type unrest int64

// tooLong is true once, of a change that comes long after the first.
func (u *unrest) tooLong() bool {
	now := time.Now().UnixNano()
	if *u == 0 {
		*u = unrest(now)
	}
	if late := now-int64(*u) > int64(overdue); !late {
		return false
	}
	*u = math.MaxInt64 // it was said
	return true
}

// tell never waits: the last word is the one that counts.
func (w *Watch) tell(err error) {
	select {
	case <-w.changed:
	default:
	}
	w.changed <- err // nobody else puts anything in
}

// concerns leaves out neighbours of the folder, files that are passing, and mere looks at a file.
func (w *Watch) concerns(e fsnotify.Event) bool {
	inside, err := filepath.Rel(w.dir, e.Name)
	if err != nil || !filepath.IsLocal(inside) {
		return false
	}
	return inside == "." || !w.passing(filepath.Base(inside))
}

// cover watches every directory that is there now, and reports whether one is new.
func (w *Watch) cover() (more bool, err error) {
	known := map[string]bool{}
	for _, dir := range w.notify.WatchList() {
		known[dir] = true
	}
	err = filepath.WalkDir(w.dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name != w.dir:
			return nil // it came and went, or is closed: whoever reads the folder will say so
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case name != w.dir && w.passing(d.Name()):
			return fs.SkipDir
		}
		err = w.notify.Add(name)
		more = more || !known[name]
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return more, explain(w.dir, err)
}

// explain says what to do about the limit that people run into.
func explain(dir string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		return fmt.Errorf("cannot watch %s: this system lets you watch no more directories: raise fs.inotify.max_user_watches and max_user_instances", dir)
	}
	return fmt.Errorf("cannot watch %s: %w", dir, err)
}
