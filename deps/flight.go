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

	mu        sync.Mutex
	listeners []*func(Event)
}

// join waits for the build of this plan, and starts it when nobody has.
func (b *Builder) join(ctx context.Context, pl *plan, progress func(Event)) (Tree, error) {
	for {
		f, leave, err := b.board(ctx, pl, progress)
		if err != nil {
			return Tree{}, err
		}
		tree, err := b.await(ctx, f)
		leave()
		// The build was ended because everybody else had left, just before we came.
		if errors.Is(err, context.Canceled) && ctx.Err() == nil {
			continue
		}
		return tree, err
	}
}

// board finds the flight to this key, or starts one. From before its first event until leave, progress hears of it.
func (b *Builder) board(ctx context.Context, pl *plan, progress func(Event)) (f *flight, leave func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.flights[pl.key]; f != nil {
		f.waiters++
		return f, f.listen(progress), nil
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	// The build outlives the caller who started it as long as others wait.
	building, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f = &flight{cancel: cancel, done: make(chan struct{}), waiters: 1}
	leave = f.listen(progress)
	b.flights[pl.key] = f
	go func() {
		defer cancel()
		tree, err := b.build(building, pl, f.tell)
		b.mu.Lock()
		delete(b.flights, pl.key)
		b.mu.Unlock()
		f.tree, f.err = tree, err
		close(f.done)
	}()
	return f, leave, nil
}

// await returns when the build is over, which the last caller to leave ends.
func (b *Builder) await(ctx context.Context, f *flight) (Tree, error) {
	select {
	case <-f.done:
		return f.tree, f.err
	case <-ctx.Done():
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

func (f *flight) listen(progress func(Event)) (stop func()) {
	if progress == nil {
		return func() {}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	me := &progress
	f.listeners = append(f.listeners, me)
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.listeners = slices.DeleteFunc(f.listeners, func(l *func(Event)) bool { return l == me })
	}
}

func (f *flight) tell(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, listener := range f.listeners {
		(*listener)(e)
	}
}
