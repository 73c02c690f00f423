package supervisor

import "slices"

// State is where an instance stands. The package comment draws how they follow
// each other.
type State string

// The states of an instance.
const (
	Idle      State = "idle"      // nothing runs and nothing is about to
	Preparing State = "preparing" // configuration, package and dependencies are made ready
	Starting  State = "starting"  // a process is being started and listed
	Serving   State = "ready"
	Degraded  State = "degraded" // it runs, but its last call or ping was not answered in time
	Stopping  State = "stopping"
	Crashed   State = "crashed" // it ended by itself; its remains are cleared
	Backoff   State = "backoff" // waiting before the next start, or for room
	Failed    State = "failed"  // given up; a slow retry, a call or a person wakes it
)

// States lists the states, in the order in which an instance first comes to them.
func States() []State {
	return []State{Idle, Preparing, Starting, Serving, Degraded, Stopping, Crashed, Backoff, Failed}
}

// edges is the table of what may follow what; instance.to refuses all else.
var edges = map[State][]State{
	Idle:      {Preparing},
	Preparing: {Starting, Backoff, Failed, Stopping},
	Starting:  {Serving, Backoff, Failed, Stopping},
	Serving:   {Degraded, Crashed, Stopping},
	Degraded:  {Serving, Crashed, Stopping},
	Stopping:  {Idle},
	Crashed:   {Backoff, Failed},
	Backoff:   {Preparing, Idle},
	Failed:    {Preparing, Idle},
}

func permitted(from, to State) bool { return slices.Contains(edges[from], to) }

// busy reports whether a process, or the start of one, is under way.
func (s State) busy() bool {
	switch s {
	case Preparing, Starting, Serving, Degraded, Stopping:
		return true
	}
	return false
}
