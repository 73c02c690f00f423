package supervisor

import (
	"context"
	"sync"
)

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
