package daemon

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// drain is how long requests may still run when the daemon stops.
const drain = 3 * time.Second

// gate lets agents in while the daemon is ready, and knows how many are inside. The zero gate is closed.
type gate struct {
	mu     sync.Mutex // guards the fields below
	isOpen bool
	inside int
	empty  chan struct{} // closed when the last leaves a closed gate; nil while it is open
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.isOpen = true
}

// close lets nobody in any more and waits for those inside until ctx ends. It is called once.
func (g *gate) close(ctx context.Context) {
	g.mu.Lock()
	g.isOpen = false
	empty := make(chan struct{})
	if g.inside == 0 {
		close(empty)
	} else {
		g.empty = empty
	}
	g.mu.Unlock()
	select {
	case <-empty:
	case <-ctx.Done():
	}
}

func (g *gate) ready() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.isOpen
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isOpen {
		g.inside++
	}
	return g.isOpen
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	if g.inside == 0 && g.empty != nil {
		close(g.empty)
		g.empty = nil
	}
}

// guard puts the gate in front of the agents' door. Streams that only listen are let in, but nobody waits for their end.
func (g *gate) guard(agents http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.enter() {
			answer(w, http.StatusServiceUnavailable, "not ready")
			return
		}
		if r.Method == http.MethodGet {
			g.leave()
		} else {
			defer g.leave()
		}
		agents.ServeHTTP(w, r)
	})
}
