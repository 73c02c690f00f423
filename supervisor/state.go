package supervisor

// State is where an instance stands (docs/architecture.md, An instance).
type State string

// The states of an instance.
const (
	Idle      State = "idle"      // nothing runs and nothing is about to
	Preparing State = "preparing" // configuration, package and dependencies are made ready
	Starting  State = "starting"  // a process is being started and listed
	Serving   State = "ready"
	Degraded  State = "degraded" // it runs, but its last call was not answered in time
	Stopping  State = "stopping"
	Crashed   State = "crashed" // it ended by itself; its remains are cleared
	Backoff   State = "backoff" // waiting before the next start
	Failed    State = "failed"  // given up; a call or a person wakes it
)
