package supervisor

import (
	"context"
	"fmt"
)

// How an instance that nobody needs is stopped. All of it runs in its goroutine.

// watchIdle sets the timer that ends an instance which nobody calls.
func (i *instance) watchIdle() {
	i.idle.Stop()
	l, idle := i.live.Load(), i.s.limits.Load().Idle
	switch {
	case l == nil, !i.sleeps(l):
	case l.calls.Load() > 0:
		i.idle.Reset(idle)
	default:
		i.idle.Reset(max(idle-l.unused(), 0))
	}
}

// onIdle stops what nobody called for long enough. Its tools stay listed, and
// the next call starts it.
func (i *instance) onIdle() {
	l, idle := i.live.Swap(nil), i.s.limits.Load().Idle
	if l == nil {
		return
	}
	if l.calls.Load() > 0 || !i.sleeps(l) || l.unused() < idle {
		i.live.Store(l)
		i.watchIdle()
		return
	}
	i.again, i.why = false, fmt.Sprintf("nobody called it for %v", idle)
	i.detach(context.Background(), l)
}

// sleeps reports whether l may be stopped when nobody calls it.
func (i *instance) sleeps(l *live) bool {
	return i.s.limits.Load().sleeps(i.key.connector, l.scans || l.Listens != nil && l.Listens())
}
