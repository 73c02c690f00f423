package install

import (
	"context"
	"sync"
)

// queue lets one caller at a time work on an id. The zero value is ready.
type queue struct {
	mu    sync.Mutex // protects the field below
	lanes map[string]chan struct{}
}

// lock waits for its turn, or for ctx to end.
func (q *queue) lock(ctx context.Context, id string) (unlock func(), err error) {
	lane := q.lane(id)
	select {
	case lane <- struct{}{}:
		return func() { <-lane }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (q *queue) lane(id string) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lanes == nil {
		q.lanes = map[string]chan struct{}{}
	}
	if q.lanes[id] == nil {
		q.lanes[id] = make(chan struct{}, 1)
	}
	return q.lanes[id]
}
