package supervisor

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// slots bounds how many starts are under way at once: whoever came first is
// first. The zero value lets nobody in.
type slots struct {
	mu    sync.Mutex // protects the fields below
	limit int
	taken int
	queue []chan struct{} // closed when a slot is given
}

// leastStarts is how many connectors may be starting at once however small the
// machine is: some of what a start does is to wait, and one that hangs must not
// keep all others from starting.
const leastStarts = 4

// defaultStarts is one start for each processor that the daemon may use: what an
// interpreter does until it serves is nearly all work, so that more of them only
// make each other late.
func defaultStarts() int { return max(runtime.GOMAXPROCS(0), leastStarts) }

// set changes the bound. What is under way goes on.
func (s *slots) set(limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = limit
	s.hand()
}

// take waits for a slot; release gives it back and may be called more than once.
func (s *slots) take(ctx context.Context) (release func(), err error) {
	given := make(chan struct{})
	s.mu.Lock()
	s.queue = append(s.queue, given)
	s.hand()
	s.mu.Unlock()
	release = sync.OnceFunc(func() { s.leave(given) })
	select {
	case <-given:
		return release, nil
	case <-ctx.Done():
		release()
		return nil, ctx.Err()
	}
}

// leave gives back a slot, or the place in the queue for one.
func (s *slots) leave(given chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.queue, given); i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
		return
	}
	s.taken--
	s.hand()
}

func (s *slots) hand() {
	for len(s.queue) > 0 && s.taken < s.limit {
		close(s.queue[0])
		s.queue = s.queue[1:]
		s.taken++
	}
}
