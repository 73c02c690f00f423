package supervisor

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Limits of everything that runs. SetLimits changes them while the daemon runs.
type Limits struct {
	StartTimeout time.Duration // process start to tools listed; 0 = 60 s
	CallTimeout  time.Duration // one call, from the last that was heard of it; 0 = 60 s
	CallCeiling  time.Duration // one call, whatever is heard of it; 0 = 30 min; never less than CallTimeout

	Idle     time.Duration // a connector that nobody called for so long is stopped; 0 = never
	IdleAlso []string      // connectors for which that holds although they sign in by QR code, or report events

	Instances int // how many connectors may run at once; 0 = any number
	Member    int // how many of one member; 0 = any number
	Spawns    int // how many processes may be started within a minute; 0 = any number
	Starts    int // how many connectors may be starting at once; 0 = one for each processor, and at least 4
}

func (l Limits) withDefaults() Limits {
	l.StartTimeout = cmp.Or(l.StartTimeout, time.Minute)
	l.CallTimeout = cmp.Or(l.CallTimeout, time.Minute)
	l.Starts = cmp.Or(l.Starts, defaultStarts())
	l.CallCeiling = max(cmp.Or(l.CallCeiling, 30*time.Minute), l.CallTimeout)
	return l
}

// SetLimits takes effect at once, but stops nothing that runs: a bound that is
// passed already holds for the next start. Where there is more room than before,
// those that wait for it start.
func (s *Supervisor) SetLimits(l Limits) {
	l = l.withDefaults()
	s.limits.Store(&l)
	s.budget.set(l)
	s.starts.set(l.Starts)
	for _, i := range s.all() {
		i.post(i.watchIdle)
	}
}

// sleeps reports whether a connector is stopped when nobody calls it. One that
// signs in by QR code would lose its connection, one that reports what happens
// outside would miss it.
func (l Limits) sleeps(connector string, listens bool) bool {
	return l.Idle > 0 && (!listens || slices.Contains(l.IdleAlso, connector))
}

// BudgetError says which bound keeps a connector from starting.
type BudgetError struct {
	Key   string        // of the configuration
	Limit int           // its value
	Wait  time.Duration // after which it is worth trying again by itself; 0 = when others leave room
}

func (e *BudgetError) Error() string {
	what := map[string]string{
		keyInstances: "%d connectors run already, which is the bound %s; it starts when there is room",
		keyMember:    "%d connectors of this member run already, which is the bound %s; it starts when there is room",
		keySpawns:    "%d processes were started within a minute, which is the bound %s",
	}[e.Key]
	return fmt.Sprintf("it is not started: "+what, e.Limit, e.Key)
}

const (
	keyInstances = "limits.instances"
	keyMember    = "limits.member_instances"
	keySpawns    = "limits.spawns_per_minute"
)

// over says which bound keeps one more from running, or nil.
func (l Limits) over(all, member int) *BudgetError {
	switch {
	case l.Instances > 0 && all >= l.Instances:
		return &BudgetError{Key: keyInstances, Limit: l.Instances}
	case l.Member > 0 && member >= l.Member:
		return &BudgetError{Key: keyMember, Limit: l.Member}
	}
	return nil
}
