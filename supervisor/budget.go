package supervisor

import (
	"iter"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// budget has a place for each instance that may run, and a queue of those for
// which there is none. The zero value knows no bounds.
type budget struct {
	mu     sync.Mutex // protects the fields below, and those of places
	limits Limits
	all    int
	member map[string]int
	queue  []*place      // who waited longest comes first
	spawns *rate.Limiter // nil = any number
}

// place is what one instance has of the budget.
type place struct {
	member string
	taken  bool
	room   chan struct{} // says that there may be room, to one that waits; holds one
}

func newPlace(member string) *place { return &place{member: member, room: make(chan struct{}, 1)} }

func (b *budget) set(l Limits) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.Spawns == 0 {
		b.spawns = nil
	} else if b.spawns == nil || b.limits.Spawns != l.Spawns {
		b.spawns = rate.NewLimiter(rate.Limit(float64(l.Spawns)/60), l.Spawns)
	}
	b.limits = l
	b.callIn()
}

// take gives an instance its place, or fails with a *BudgetError: then it is in
// the queue, or stays where it was there, until it takes its place or leaves. An
// instance that has its place keeps it.
func (b *budget) take(p *place) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.taken {
		return nil
	}
	if !slices.Contains(b.queue, p) {
		b.queue = append(b.queue, p)
	}
	for q, over := range b.turns() {
		if q == p && over != nil {
			return over
		}
		if q == p {
			break
		}
	}
	b.unqueue(p)
	b.count(p, 1)
	return nil
}

// leave gives back what an instance has, its turn included, and calls in those
// for whom there is room then.
func (b *budget) leave(p *place) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unqueue(p)
	if p.taken {
		b.count(p, -1)
	}
	b.callIn()
}

// spawn counts a process that is started, or fails with a *BudgetError.
func (b *budget) spawn() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spawns == nil || b.spawns.Allow() {
		return nil
	}
	wait := (1 - b.spawns.Tokens()) / float64(b.spawns.Limit()) // seconds
	return &BudgetError{Key: keySpawns, Limit: b.limits.Spawns, Wait: time.Duration(math.Ceil(wait)) * time.Second}
}

// turns yields who waits, in order, and what keeps them out if those before them
// are let in as far as there is room; nil = nothing does.
func (b *budget) turns() iter.Seq2[*place, *BudgetError] {
	return func(yield func(*place, *BudgetError) bool) {
		all, member := b.all, maps.Clone(b.member)
		if member == nil {
			member = map[string]int{}
		}
		for _, p := range b.queue {
			over := b.limits.over(all, member[p.member])
			if over == nil {
				all, member[p.member] = all+1, member[p.member]+1
			}
			if !yield(p, over) {
				return
			}
		}
	}
}

// callIn tells those who wait and have room. It waits for nobody.
func (b *budget) callIn() {
	for p, over := range b.turns() {
		if over != nil {
			continue
		}
		select {
		case p.room <- struct{}{}:
		default: // it was told already
		}
	}
}

func (b *budget) unqueue(p *place) {
	b.queue = slices.DeleteFunc(b.queue, func(q *place) bool { return q == p })
}

func (b *budget) count(p *place, n int) {
	if b.member == nil {
		b.member = map[string]int{}
	}
	p.taken = n > 0
	b.all, b.member[p.member] = b.all+n, b.member[p.member]+n
	if b.member[p.member] == 0 {
		delete(b.member, p.member)
	}
}
