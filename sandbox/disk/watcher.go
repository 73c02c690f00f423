package disk

import (
	"fmt"
	"os"
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

	mu      sync.Mutex // protects the fields below
	watched map[*Watched]bool
	stop    chan struct{} // of the goroutine; nil = there is none
}

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

// space is how full a file system is.
type space struct {
	id                 unix.Fsid
	used, free, total  int64 // bytes; free is what an ordinary user may take
	inodes, freeInodes int64
}

func spaceOf(dir *os.File) (s space, err error) {
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(dir.Fd()), &st); err != nil {
		return s, err
	}
	size := int64(st.Bsize)
	return space{
		id: st.Fsid, used: int64(st.Blocks-st.Bfree) * size, free: int64(st.Bavail) * size, total: int64(st.Blocks) * size,
		inodes: int64(st.Files - st.Ffree), freeInodes: int64(st.Ffree),
	}, nil
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
	full := map[unix.Fsid]*Watched{} // file systems without their reserve, and who has grown most there
	grew := map[unix.Fsid]int64{}
	for _, e := range w.all() {
		growth, now, low := e.round(w.o)
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

func reserve(bytes, total int64) int64 {
	if bytes == 0 {
		bytes = 512 << 20
	}
	return min(bytes, total/20)
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
