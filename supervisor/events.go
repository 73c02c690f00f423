package supervisor

import (
	"context"
	"iter"
	"sync"
	"time"

	"majordomo/sandbox"
)

// EventKind is what an Event tells.
type EventKind string

// The kinds of events.
const (
	EventState  EventKind = "state"  // an instance went from one state to another
	EventNotice EventKind = "notice" // something that a person should know, not more than once an hour for each cause
	EventConfig EventKind = "config" // what became of a change of the configuration
	EventLost   EventKind = "lost"   // this reader was too slow for some events
)

// Event is something that happened. What does not belong to its kind is zero.
type Event struct {
	Number uint64 // in the order in which they happened; 0 = EventLost
	At     time.Time
	Kind   EventKind
	Member string // whose connector it is; "" = the daemon's own
	Connector,
	Text string // why, in one sentence without secrets

	From, To   State
	Generation uint64
	Stage      sandbox.Stage // how far a stop had to go

	Cause CauseKind // of a notice, and of a state that it led to
	Next  string    // of a notice: what a person can do
	Count int       // of a notice: how many like it were not told since the last; of EventLost: events
}

const (
	keptEvents = 512 // for who asks later
	readAhead  = 256 // for a reader that is slow
)

// bus hands events to whoever reads them. It never waits for a reader: one that is
// slow loses events, and is told how many. The zero value works.
type bus struct {
	mu      sync.Mutex // protects the fields below
	number  uint64
	kept    []Event
	readers map[*reader]bool
}

// reader is one who follows. Its queue holds only what it may see.
type reader struct {
	member string // "" = everybody's
	queue  chan Event
	lost   int // protected by the bus
}

func (r *reader) sees(e Event) bool { return r.member == "" || r.member == e.Member }

// publish never blocks.
func (b *bus) publish(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number++
	e.Number, e.At = b.number, time.Now()
	if len(b.kept) == keptEvents {
		b.kept = append(b.kept[:0], b.kept[keptEvents/4:]...)
	}
	b.kept = append(b.kept, e)
	for r := range b.readers {
		if !r.sees(e) {
			continue
		}
		select {
		case r.queue <- e:
		default:
			r.lost++
		}
	}
}

// join returns what is kept for a member and a reader of what comes after it.
func (b *bus) join(member string) ([]Event, *reader) {
	r := &reader{member: member, queue: make(chan Event, readAhead)}
	b.mu.Lock()
	defer b.mu.Unlock()
	var kept []Event
	for _, e := range b.kept {
		if r.sees(e) {
			kept = append(kept, e)
		}
	}
	if b.readers == nil {
		b.readers = map[*reader]bool{}
	}
	b.readers[r] = true
	return kept, r
}

func (b *bus) leave(r *reader) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.readers, r)
}

// missed says how many events r lost since it was asked last.
func (b *bus) missed(r *reader) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := r.lost
	r.lost = 0
	return n
}

// Events yields what happened lately, oldest first, and with follow what happens
// until ctx ends. A member sees what is theirs; "" sees everything. Whoever reads
// too slowly loses events and gets an EventLost instead of them.
func (s *Supervisor) Events(ctx context.Context, member string, follow bool) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		kept, r := s.bus.join(member)
		defer s.bus.leave(r)
		for _, e := range kept {
			if !yield(e) {
				return
			}
		}
		for follow {
			select {
			case e := <-r.queue:
				if n := s.bus.missed(r); n > 0 && !yield(Event{At: time.Now(), Kind: EventLost, Count: n}) {
					return
				}
				if !yield(e) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// Announce tells what became of a change of the configuration.
func (s *Supervisor) Announce(text string) { s.bus.publish(Event{Kind: EventConfig, Text: text}) }
