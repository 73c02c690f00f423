package disk

import (
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"
)

// Watcher looks after directories. It is safe for concurrent use.
//
// Looking is cheap while nothing happens: one question to each file system. A directory is walked when its file system has grown by
// so much that the directory could be over its limit, and else once a minute on one that changed, since others may have deleted meanwhile.
type Watcher struct {
	o Options

	mu      sync.Mutex // protects the fields below, and o.Reserve
	watched map[*Watched]bool
	stop    chan struct{} // of the goroutine; nil = there is none
}

func (w *Watcher) run(stop <-chan struct{}) {
	tick := time.NewTicker(w.o.Every)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			w.round()
		}
	}
}

// Reserve changes what is kept free, from the next look on; bytes as in Options.
func (w *Watcher) Reserve(bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.o.Reserve = bytes
}

func (w *Watcher) all() (list []*Watched) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for e := range w.watched {
		list = append(list, e)
	}
	return list
}

// round looks once.
func (w *Watcher) round() {
	w.mu.Lock()
	o := w.o
	w.mu.Unlock()
	full := map[unix.Fsid]*Watched{} // file systems without their reserve, and who has grown most there
	grew := map[unix.Fsid]int64{}
	for _, e := range w.all() {
		growth, now, low := e.round(o)
		if low && (full[now.id] == nil || growth > grew[now.id]) {
			full[now.id], grew[now.id] = e, growth
		}
	}
	for id, e := range full {
		if grew[id] < worthIt {
			w.o.Log.Warn("the disk is nearly full, and no connector has written to it", zap.String("directory", e.dir.Name()))
			continue
		}
		e.say(fmt.Sprintf("the disk is nearly full, and it wrote the most, %s since it was last looked at", Size(grew[id])))
	}
}

// worthIt is the growth from which on somebody can be held to account for it.
const worthIt = 1 << 20
