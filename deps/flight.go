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

	mu        sync.Mutex // protects the field below
	listeners []*mailbox
}

// join waits for the build of this plan, and starts it when nobody has.
func (b *Builder) join(ctx context.Context, pl *plan, progress func(Event)) (Tree, error) {
	for {
		f, mail, err := b.board(ctx, pl)
		if err != nil {
			return Tree{}, err
		}
		tree, err := b.await(ctx, f, mail, progress)
		f.leave(mail)
		// The build was ended because everybody else had left, just before we came.
		if errors.Is(err, context.Canceled) && ctx.Err() == nil {
			continue
		}
		return tree, err
	}
}

// board finds the flight to this key, or starts one. From before its first event until leave, its events come to the mailbox.
func (b *Builder) board(ctx context.Context, pl *plan) (f *flight, mail *mailbox, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.flights[pl.key]; f != nil {
		f.waiters++
		return f, f.listen(), nil
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	// The build outlives the caller who started it as long as others wait.
	building, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f = &flight{cancel: cancel, done: make(chan struct{}), waiters: 1}
	mail = f.listen()
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
	return f, mail, nil
}

// await returns when the build is over, which the last caller to leave ends. progress is called from here, the caller's own
// goroutine, while nothing is locked.
func (b *Builder) await(ctx context.Context, f *flight, mail *mailbox, progress func(Event)) (Tree, error) {
	if progress == nil {
		progress = func(Event) {}
	}
	for waiting := true; waiting; {
		select {
		case <-mail.arrived:
			mail.deliver(progress)
		case <-f.done:
			mail.deliver(progress)
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

func (f *flight) listen() *mailbox {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := newMailbox()
	f.listeners = append(f.listeners, m)
	return m
}

func (f *flight) leave(m *mailbox) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listeners = slices.DeleteFunc(f.listeners, func(l *mailbox) bool { return l == m })
}

// tell may be called from several goroutines, and never waits.
func (f *flight) tell(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.listeners {
		l.put(e)
	}
}
