package deps

import "sync"

// backlog is how many lines a subscriber may be behind. More are left out: a person could not read them either.
const backlog = 1024

// subscriber is one caller who follows a build. It holds events until that caller takes them, so that who builds never waits for who
// listens, and no foreign code runs while something is locked.
type subscriber struct {
	arrived chan struct{} // holds one when events may have come

	mu     sync.Mutex // protects the field below
	events []Event
}

func newSubscriber() *subscriber { return &subscriber{arrived: make(chan struct{}, 1)} }

// put never blocks. The beginning of a phase is always kept.
func (s *subscriber) put(e Event) {
	s.mu.Lock()
	if len(s.events) < backlog || e.Line == "" {
		s.events = append(s.events, e)
	}
	s.mu.Unlock()
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}

// deliver hands over what has come, in the caller's goroutine.
func (s *subscriber) deliver(progress func(Event)) {
	s.mu.Lock()
	events := s.events
	s.events = nil
	s.mu.Unlock()
	for _, e := range events {
		progress(e)
	}
}
