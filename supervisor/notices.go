package supervisor

import (
	"fmt"
	"sync"
	"time"
)

// quiet is how long the same is not told again.
const quiet = time.Hour

// notices keeps a connector that fails over and over from telling so each time.
// The zero value works.
type notices struct {
	mu   sync.Mutex // protects told
	told map[matter]*telling
}

// matter is what is told once: that a connector failed for a kind of cause, and
// that it was given up for it.
type matter struct {
	key
	kind  CauseKind
	state State
}

type telling struct {
	at   time.Time
	more int // like it, not told since
}

// due reports whether to tell, and how many were not told since the last time.
func (n *notices) due(m matter) (more int, due bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	t := n.told[m]
	if t != nil && time.Since(t.at) < quiet {
		t.more++
		return 0, false
	}
	if t != nil {
		more = t.more
	}
	if n.told == nil {
		n.told = map[matter]*telling{}
	}
	n.told[m] = &telling{at: time.Now()}
	return more, true
}

// forget drops what was told of a connector that is gone.
func (n *notices) forget(k key) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for m := range n.told {
		if m.key == k {
			delete(n.told, m)
		}
	}
}

// step is the event of going to a state.
func (i *instance) step(to State) Event {
	e := Event{
		Kind: EventState, Member: i.key.member, Connector: i.key.connector, Generation: i.generation,
		From: i.state, To: to, Text: i.reason(to),
	}
	if i.cause != nil && (to == Backoff || to == Failed) {
		e.Cause = i.cause.Kind
	}
	if i.state == Stopping && i.lastStop != nil {
		e.Stage = i.lastStop.Stage
	}
	return e
}

// reason says why the instance goes to a state; "" where that goes without saying.
func (i *instance) reason(to State) string {
	switch {
	case to == Backoff, to == Failed:
		return i.cause.Text
	case to == Degraded:
		return "it did not answer a call or a ping in time"
	case to == Serving && i.state == Degraded:
		return "it answers again"
	case to == Starting, to == Serving:
		return ""
	}
	return i.why
}

// notify has people know that the instance is down.
func (i *instance) notify() {
	i.s.inform(i.key, Event{Generation: i.generation, To: i.state, Cause: i.cause.Kind, Text: i.cause.Text, Next: i.cause.Next})
}

// missTools has people know that an instance that serves, or is about to, lists nothing any more: it looks well otherwise.
func (i *instance) missTools(before int) {
	text := fmt.Sprintf("it lists no tools any more, where it had %d", before)
	i.log.note("[majordomo] " + text)
	i.s.inform(i.key, Event{Generation: i.generation, To: Serving, Cause: CauseTools, Text: text, Next: i.key.advice(CauseTools, nil, true)})
}

// inform makes e a notice of k's, unless the same was told not long ago. It may be called from any goroutine.
func (s *Supervisor) inform(k key, e Event) {
	more, due := s.notices.due(matter{k, e.Cause, e.To})
	if !due {
		return
	}
	e.Kind, e.Member, e.Connector, e.Count = EventNotice, k.member, k.connector, more
	s.bus.publish(e)
}
