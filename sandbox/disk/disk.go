// Package disk limits what a connector may have in its own directory.
//
//	project quota   the kernel refuses the write that is too much: ext4 and xfs mounted with prjquota, as root
//	watchdog        somebody looks, and the connector is stopped when it has too much: everywhere else
//
// Over both a reserve is kept free on each file system, for the daemon to go on working: when it is reached, the connector that wrote the
// most since somebody looked is stopped.
//
// The directories are hostile: they are walked by descriptor, one name at a time, never through a link or into another file system, and
// no further than a limit needs. The package must never remove or change what it finds there. A Watcher owns one goroutine, which lives while something is watched.
package disk

import (
	"fmt"
	"os"
	"time"

	"go.uber.org/zap"
)

// Limit of one directory. A zero field is no limit.
type Limit struct {
	Bytes  int64 // on disk, each file once
	Inodes int64 // files and directories
}

// Usage of one directory.
type Usage struct {
	Bytes  int64
	Inodes int64
	Deep   bool // it is nested deeper than anybody looks
}

// Over says how a usage is over a limit, or "".
func (l Limit) Over(u Usage) string {
	switch {
	case l.Bytes > 0 && u.Bytes > l.Bytes:
		return fmt.Sprintf("it has %s or more in its directory, and may have %s (limits.disk)", Size(u.Bytes), Size(l.Bytes))
	case l.Inodes > 0 && u.Inodes > l.Inodes:
		return fmt.Sprintf("it has %d or more files in its directory, and may have %d (limits.disk_files)", u.Inodes, l.Inodes)
	case u.Deep:
		return fmt.Sprintf("its directory is nested more than %d levels deep", maxDepth)
	}
	return ""
}

// Size is a number of bytes for people.
func Size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
}

// Options of a Watcher. The zero value is for production.
type Options struct {
	Every   time.Duration // between looks at the file systems, 0 = 2 s
	Full    time.Duration // between looks at each directory of a file system on which anything changed, 0 = 1 minute
	Reserve int64         // bytes kept free, 0 = 512 MiB, or a twentieth of a small file system
	Log     *zap.Logger   // nil = silent
}

// NewWatcher makes a Watcher; it does nothing until something is added.
func NewWatcher(o Options) *Watcher {
	if o.Every == 0 {
		o.Every = 2 * time.Second
	}
	if o.Full == 0 {
		o.Full = time.Minute
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	return &Watcher{o: o, watched: map[*Watched]bool{}}
}

// Watch takes over dir. over is called once, with the reason in words, when the directory is over its limit or is what fills the disk;
// it must not block. Close the result when nothing writes there any more.
func (w *Watcher) Watch(dir *os.File, l Limit, now Usage, over func(why string)) *Watched {
	e := &Watched{w: w, dir: dir, limit: l, over: over, usage: now, at: time.Now()}
	e.space, _ = spaceOf(dir) // unknown = it is looked at soon
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watched[e] = true
	if w.stop == nil {
		w.stop = make(chan struct{})
		go w.run(w.stop)
	}
	return e
}
