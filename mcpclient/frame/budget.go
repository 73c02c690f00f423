package frame

import (
	"runtime"
	"sync"
	"time"
)

// Budget bounds what all lines together may hold that Readers sharing it read,
// and what else is held from it. A line counts from its first 64 KiB on, and
// as long as anybody holds a part of it: its memory says when that ends, for
// whoever got a message cannot be made to hand it back. Safe for concurrent use.
//
// Whoever finds no room waits. One line at a time may go beyond the limit, so
// that lines of which each holds a part always end; all together hold no more
// than the limit and the longest line.
type Budget struct {
	patience time.Duration

	mu        sync.Mutex // protects the fields below
	limit     int64
	used      int64
	beyond    *Lease        // the one that may go beyond the limit
	freed     chan struct{} // closed and replaced when something was given back
	collected time.Time     // when a collection was last asked for
}

// NewBudget returns a Budget of so many bytes.
func NewBudget(limit int64) *Budget {
	return &Budget{limit: limit, patience: 45 * time.Second, freed: make(chan struct{})}
}

// SetLimit changes the limit. What is held stays; where there is more room than
// before, those that wait for it look again.
func (b *Budget) SetLimit(limit int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit = limit
	close(b.freed)
	b.freed = make(chan struct{})
}

// unbudgeted is what a line may hold without asking.
const unbudgeted = 64 << 10

// Lease is what one holder has of a Budget. Not safe for concurrent use.
type Lease struct {
	b     *Budget
	bytes int64
}

// Lease returns one that holds nothing yet. A nil Budget has room for all.
func (b *Budget) Lease() *Lease { return &Lease{b: b} }

// Take adds n bytes, waiting for room for some seconds at most, and no longer
// than until done is closed. It reports whether there was room.
func (l *Lease) Take(n int, done <-chan struct{}) bool {
	if l.b == nil {
		return true
	}
	freed, ok := l.try(int64(n))
	if ok {
		return true
	}
	again := time.NewTicker(collectEvery)
	defer again.Stop()
	for end := time.After(l.b.patience); ; {
		l.b.collect()
		select {
		case <-freed:
		case <-again.C:
		case <-end:
			return false
		case <-done:
			return false
		}
		if freed, ok = l.try(int64(n)); ok {
			return true
		}
	}
}

// Grow takes what is missing for a buffer of size bytes, as Take does; a small
// one takes nothing.
func (l *Lease) Grow(size int, done <-chan struct{}) bool {
	return size <= unbudgeted || l.Take(size-int(l.bytes), done)
}

const collectEvery = 200 * time.Millisecond

// collect finds out what nobody holds any more, now and then.
func (b *Budget) collect() {
	b.mu.Lock()
	due := time.Since(b.collected) >= collectEvery
	if due {
		b.collected = time.Now()
	}
	b.mu.Unlock()
	if due {
		runtime.GC()
	}
}

// try takes n bytes if there is room, or returns what is closed when there may
// be some.
func (l *Lease) try(n int64) (freed <-chan struct{}, ok bool) {
	b := l.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.limit {
		if b.beyond != nil && b.beyond != l {
			return b.freed, false
		}
		b.beyond = l
	}
	b.used += n
	l.bytes += n
	return nil, true
}

// GiveBack returns everything at once.
func (l *Lease) GiveBack() {
	if l.b == nil || l.bytes == 0 {
		return
	}
	b := l.b
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= l.bytes
	l.bytes = 0
	if b.beyond == l {
		b.beyond = nil
	}
	close(b.freed)
	b.freed = make(chan struct{})
}

// Hold counts data, of which nothing was counted yet, as long as anybody holds
// it. It waits for room as Take does.
func (b *Budget) Hold(data []byte, done <-chan struct{}) bool {
	if b == nil || len(data) <= unbudgeted {
		return true
	}
	l := b.Lease()
	if !l.Take(len(data), done) {
		return false
	}
	l.Until(data)
	return true
}

// Until gives everything back when nobody holds any part of data any more.
func (l *Lease) Until(data []byte) {
	if l.b != nil && l.bytes > 0 {
		runtime.AddCleanup(&data[0], (*Lease).GiveBack, l)
	}
}
