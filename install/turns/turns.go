// Package turns lets one caller at a time work on one thing, where things have
// keys and there is no end of them.
//
// A key is remembered only while somebody has its turn or waits for it. The
// package must never let two callers have the turn of one key, and starts no
// goroutines.
package turns

import (
	"context"
	"sync"
)

// Turns are handed out by key. The zero value works; it is safe for concurrent use.
type Turns[K comparable] struct {
	mu    sync.Mutex // protects the field below, and the counts in it
	lanes map[K]*lane
}

// lane is a key that somebody wants.
type lane struct {
	taken chan struct{} // holds one while somebody has the turn
	users int           // who has the turn, and who waits
}

// Lock waits for the turn of k, or for ctx to end. unlock gives it back; it must
// be called once.
func (t *Turns[K]) Lock(ctx context.Context, k K) (unlock func(), err error) {
	l := t.enter(k)
	select {
	case l.taken <- struct{}{}:
		return func() {
			<-l.taken
			t.leave(k, l)
		}, nil
	case <-ctx.Done():
		t.leave(k, l)
		return nil, ctx.Err()
	}
}

func (t *Turns[K]) enter(k K) *lane {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lanes == nil {
		t.lanes = map[K]*lane{}
	}
	l := t.lanes[k]
	if l == nil {
		l = &lane{taken: make(chan struct{}, 1)}
		t.lanes[k] = l
	}
	l.users++
	return l
}

func (t *Turns[K]) leave(k K, l *lane) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(t.lanes, k)
	}
}

// Len is how many keys somebody has or waits for.
func (t *Turns[K]) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.lanes)
}
