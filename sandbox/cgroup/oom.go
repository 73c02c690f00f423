package cgroup

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// OOM is how far a group ran out of memory.
type OOM struct {
	Killed int  // processes of it, as far as the group counts them
	Pool   bool // it was for the total of its pool, not for what the group itself may have
}

// OOM says what the kernel has killed of the group for lack of memory.
func (g *Group) OOM() (OOM, error) {
	n, err := g.killed()
	return OOM{Killed: n, Pool: n > 0 && g.pool != nil && g.pool.total().Memory > 0 && g.poolWasFull()}, err
}

func (g *Group) killed() (int, error) {
	if dir, ok := g.v1["memory"]; ok {
		return readCount(filepath.Join(dir, "memory.oom_control"), "oom_kill")
	}
	if events := filepath.Join(g.v2, "memory.events"); g.v2 != "" && exists(events) {
		return readCount(events, "oom_kill")
	}
	return 0, nil
}

// poolWasFull reports whether it was the pool that had no room. The new hierarchy counts that where the room was lacking, and above; the
// old one tells it there and below, and a Watch has heard it.
func (g *Group) poolWasFull() bool {
	if _, old := g.v1["memory"]; old {
		return g.fromPool.Load()
	}
	own, err := readCount(filepath.Join(g.v2, "memory.events"), "oom")
	if err != nil || own > 0 {
		return false
	}
	file := filepath.Join(filepath.Dir(g.v2), "memory.events.local")
	if !exists(file) { // before 5.2
		file = filepath.Join(filepath.Dir(g.v2), "memory.events")
	}
	n, err := readCount(file, "oom")
	return err == nil && n > 0
}

// Watch hears from the old hierarchy that a group, or its pool, is out of memory. On v2 the kernel ends a group that lost one process as a
// whole; on v1 the caller does. Killed is for one goroutine, Stop and then Close for another.
type Watch struct {
	g       *Group
	own     *os.File
	pool    *os.File // nil = it is in none
	stopped atomic.Bool
}

// WatchOOM begins a Watch; nil where there is nothing to hear. It is closed before Remove.
func (g *Group) WatchOOM() (*Watch, error) {
	dir, ok := g.v1["memory"]
	if !ok {
		return nil, nil
	}
	w := &Watch{g: g}
	var err error
	if w.own, err = oomEvents(dir); err == nil && g.pool != nil {
		w.pool, err = oomEvents(filepath.Dir(dir))
	}
	if err != nil {
		w.close()
		return nil, fmt.Errorf("cannot watch the control group %s for lack of memory: %w", g.name, err)
	}
	return w, nil
}

// oomEvents returns a file from which 8 bytes, a count, can be read whenever a group, or one above it, has run out of memory.
func oomEvents(dir string) (*os.File, error) {
	control, err := os.Open(filepath.Join(dir, "memory.oom_control"))
	if err != nil {
		return nil, err
	}
	defer control.Close() // the kernel keeps what it needs
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, err
	}
	events := os.NewFile(uintptr(fd), "oom of "+dir)
	order := fmt.Appendf(nil, "%d %d", fd, control.Fd())
	if err := os.WriteFile(filepath.Join(dir, "cgroup.event_control"), order, 0); err != nil {
		events.Close()
		return nil, err
	}
	return events, nil
}

// How long a kill may come after the event, which the kernel sends before it looks for a victim; and how often is looked for it at most.
const (
	killLags  = 10 * time.Second
	firstLook = time.Millisecond
)

// Killed returns true when something of the group was killed for lack of memory, and false after Stop or when the group is gone. That others
// of its pool lack memory wakes it up, and is no reason to return.
func (w *Watch) Killed() bool {
	var wait time.Duration // 0 = no event is open
	var since time.Time
	for {
		_ = w.own.SetReadDeadline(deadline(wait))
		if w.stopped.Load() {
			return false
		}
		n, err := count8(w.own)
		switch {
		case err == nil:
			w.heard(n)
			wait, since = firstLook, time.Now()
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return false
		}
		if n, err := w.g.killed(); err != nil || n > 0 {
			return err == nil
		}
		if wait *= 2; time.Since(since) > killLags {
			wait = 0
		}
	}
}

func deadline(wait time.Duration) (at time.Time) {
	if wait > 0 {
		at = time.Now().Add(wait)
	}
	return at
}

// heard keeps whose lack of memory it was: the pool hears only of its own and of those above, the group of all, and the pool first.
func (w *Watch) heard(own uint64) {
	if w.pool == nil {
		return
	}
	_ = w.pool.SetReadDeadline(time.Now().Add(firstLook))
	all, err := count8(w.pool)
	w.g.fromPool.Store(err == nil && all >= own)
}

// count8 reads how many events there were since it was read last.
func count8(events *os.File) (uint64, error) {
	var b [8]byte
	if _, err := events.Read(b[:]); err != nil {
		return 0, err
	}
	return binary.NativeEndian.Uint64(b[:]), nil
}

// Stop has Killed return.
func (w *Watch) Stop() {
	w.stopped.Store(true)
	_ = w.own.SetReadDeadline(time.Unix(1, 0))
}

// Close takes note of an event that Killed did not come to any more, and ends the watch.
func (w *Watch) Close() {
	_ = w.own.SetReadDeadline(time.Now().Add(firstLook))
	if n, err := count8(w.own); err == nil {
		w.heard(n)
	}
	w.close()
}

func (w *Watch) close() {
	for _, f := range []*os.File{w.own, w.pool} {
		if f != nil {
			_ = f.Close()
		}
	}
}
