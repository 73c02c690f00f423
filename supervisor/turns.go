package supervisor

import (
	"context"
	"sync"
)

// edits lets one change of an activation happen at a time, and under the key of a
// connector without member one removal or activation of it be written down. The
// zero value works.
type edits struct {
	mu   sync.Mutex // protects held
	held map[key]chan struct{}
}

// lock waits its turn. Its unlock may be called once.
func (e *edits) lock(ctx context.Context, k key) (unlock func(), err error) {
	e.mu.Lock()
	if e.held == nil {
		e.held = map[key]chan struct{}{}
	}
	turn, ok := e.held[k]
	if !ok {
		turn = make(chan struct{}, 1)
		e.held[k] = turn
	}
	e.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// slots bounds how many starts are under way at once.
type slots chan struct{}

func (s slots) take(ctx context.Context) (release func(), err error) {
	select {
	case s <- struct{}{}:
		return sync.OnceFunc(func() { <-s }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
