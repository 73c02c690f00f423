package disk

import (
	"os"
	"sync"
	"time"

	"go.uber.org/zap"
)

// Watched is one directory.
type Watched struct {
	w     *Watcher
	dir   *os.File
	limit Limit
	over  func(why string)

	look sync.Mutex // held while it is looked at, and for Close
	done bool       // closed, or over said

	// ---- as of the last walk ----
	usage Usage
	space space
	at    time.Time
}

// Close ends the watch and closes the directory. over is not called after it has returned.
func (e *Watched) Close() {
	e.w.mu.Lock()
	delete(e.w.watched, e)
	if len(e.w.watched) == 0 && e.w.stop != nil {
		close(e.w.stop)
		e.w.stop = nil
	}
	e.w.mu.Unlock()
	e.look.Lock()
	defer e.look.Unlock()
	e.done = true
	_ = e.dir.Close()
}

// round looks at one directory if there is reason to, and returns by how much it has grown since the last look; low = its file system has
// less than the reserve.
func (e *Watched) round(o Options) (growth int64, now space, low bool) {
	e.look.Lock()
	defer e.look.Unlock()
	if e.done {
		return 0, now, false
	}
	now, err := spaceOf(e.dir)
	if err != nil {
		return 0, now, false
	}
	low = now.free < reserve(o.Reserve, now.total)
	if !low && !e.due(now, o.Full) {
		return 0, now, false
	}
	usage, err := Measure(e.dir, e.limit)
	if err != nil {
		o.Log.Warn("cannot look at a connector's directory", zap.String("directory", e.dir.Name()), zap.Error(err))
		return 0, now, low
	}
	growth = usage.Bytes - e.usage.Bytes
	e.usage, e.space, e.at = usage, now, time.Now()
	if why := e.limit.Over(usage); why != "" {
		e.sayLocked(why)
		return 0, now, false
	}
	return growth, now, low
}

// due reports whether the directory can be over its limit.
func (e *Watched) due(now space, full time.Duration) bool {
	if now == e.space {
		return false
	}
	mayGrow := max(e.limit.Bytes-e.usage.Bytes, 1<<20)
	mayHave := max(e.limit.Inodes-e.usage.Inodes, 64)
	switch {
	case e.limit.Bytes > 0 && now.used-e.space.used >= mayGrow/2:
		return true
	case e.limit.Inodes > 0 && now.inodes-e.space.inodes >= mayHave/2:
		return true
	}
	return time.Since(e.at) >= full
}

func (e *Watched) say(why string) {
	e.look.Lock()
	defer e.look.Unlock()
	e.sayLocked(why)
}

func (e *Watched) sayLocked(why string) {
	if !e.done {
		e.done = true
		e.over(why)
	}
}
