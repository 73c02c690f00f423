package supervisor

import "time"

// view is what the status shows; it is replaced, never changed.
type view struct {
	state      State
	generation uint64
	restarts   int
	cause      *Cause
	retryAt    time.Time
	lastStop   *LastStop
	saved      int64
	live       *live
}

func (i *instance) publish() {
	v := &view{i.state, i.generation, i.restarts, i.cause, i.retryAt, i.lastStop, i.saved, i.live.Load()}
	i.view.Store(v)
	if i.watch != nil {
		i.watch(v)
	}
}

// line is what the status says of an instance.
func (s *Supervisor) line(i *instance) Instance {
	v := i.view.Load()
	line := Instance{
		Member: i.key.member, Connector: i.key.connector, State: v.state, Generation: v.generation,
		Restarts: v.restarts, Tools: len(*i.tools.Load()), Cause: v.cause, RetryAt: v.retryAt,
		Stopped: i.stopped.Load(), Noise: i.noise.Load(), LastStop: v.lastStop,
		Development: s.devVersion(i.key) != nil,
	}
	if v.state == Idle {
		line.Saved = v.saved
	}
	if v.live != nil {
		v.live.describe(&line)
	}
	return line
}

// describe adds what can be said of what runs.
func (l *live) describe(line *Instance) {
	line.Usage = l.usage()
	line.Noise += l.noise()
	line.PID, line.Sandbox, line.Uptime = l.PID, l.Sandbox, time.Since(l.since)
	if l.Contacts != nil {
		line.Contacts = l.Contacts()
	}
}
