package deps

import "sync"

// backlog is how many lines a listener may be behind. More are left out: a person could not read them either.
const backlog = 1024

// mailbox holds events until their listener takes them, so that who builds never waits for who listens, and no foreign code
// runs while something is locked.
type mailbox struct {
	arrived chan struct{} // holds one when events may have come

	mu     sync.Mutex // protects the field below
	events []Event
}

func newMailbox() *mailbox { return &mailbox{arrived: make(chan struct{}, 1)} }

// put never blocks. The beginning of a phase is always kept.
func (m *mailbox) put(e Event) {
	m.mu.Lock()
	if len(m.events) < backlog || e.Line == "" {
		m.events = append(m.events, e)
	}
	m.mu.Unlock()
	select {
	case m.arrived <- struct{}{}:
	default:
	}
}

// deliver hands over what has come, in the caller's goroutine.
func (m *mailbox) deliver(progress func(Event)) {
	m.mu.Lock()
	events := m.events
	m.events = nil
	m.mu.Unlock()
	for _, e := range events {
		progress(e)
	}
}
