package deps

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// flight is one build that any number of callers wait for.
type flight struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when tree and err are set
	tree   Tree
	err    error

	waiters int // guarded by Builder.mu

	mu          sync.Mutex // protects the field below
	subscribers []*subscriber
}

// join waits for the build of this plan, and starts it when nobody has.
func (b *Builder) join(ctx context.Context, pl *plan, progress func(Event)) (Tree, error) {
	for {
		f, sub, err := b.joinOrStart(ctx, pl)
		if err != nil {
			return Tree{}, err
		}
		tree, err := b.await(ctx, f, sub, progress)
		f.unsubscribe(sub)
		// The build was ended because everybody else had left, just before we came.
		if errors.Is(err, context.Canceled) && ctx.Err() == nil {
			continue
		}
		return tree, err
	}
}

// joinOrStart finds the flight to this key, or starts one. From before its first event until
// unsubscribe, its events come to the subscriber.
func (b *Builder) joinOrStart(ctx context.Context, pl *plan) (f *flight, sub *subscriber, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.flights[pl.key]; f != nil {
		f.waiters++
		return f, f.subscribe(), nil
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	// The build outlives the caller who started it as long as others wait.
	building, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f = &flight{cancel: cancel, done: make(chan struct{}), waiters: 1}
	sub = f.subscribe()
	b.flights[pl.key] = f
	go func() {
		defer cancel()
		tree, err := b.build(building, pl, f.publish)
		b.mu.Lock()
		delete(b.flights, pl.key)
		b.mu.Unlock()
		f.tree, f.err = tree, err
		close(f.done)
	}()
	return f, sub, nil
}

// await returns when the build is over, which the last caller to leave ends. progress is called from here, the caller's own
// goroutine, while nothing is locked.
func (b *Builder) await(ctx context.Context, f *flight, sub *subscriber, progress func(Event)) (Tree, error) {
	if progress == nil {
		progress = func(Event) {}
	}
	for waiting := true; waiting; {
		select {
		case <-sub.arrived:
			sub.deliver(progress)
		case <-f.done:
			sub.deliver(progress)
			return f.tree, f.err
		case <-ctx.Done():
			waiting = false
		}
	}
	b.mu.Lock()
	f.waiters--
	last := f.waiters == 0
	b.mu.Unlock()
	if last {
		f.cancel()
		<-f.done
	}
	return Tree{}, ctx.Err()
}

func (f *flight) subscribe() *subscriber {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := newSubscriber()
	f.subscribers = append(f.subscribers, m)
	return m
}

func (f *flight) unsubscribe(m *subscriber) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.subscribers = slices.DeleteFunc(f.subscribers, func(l *subscriber) bool { return l == m })
}

// publish may be called from several goroutines, and never waits.
func (f *flight) publish(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.subscribers {
		l.put(e)
	}
}
