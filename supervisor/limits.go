package supervisor

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"
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
}

func (l Limits) withDefaults() Limits {
	l.StartTimeout = cmp.Or(l.StartTimeout, time.Minute)
	l.CallTimeout = cmp.Or(l.CallTimeout, time.Minute)
	l.CallCeiling = max(cmp.Or(l.CallCeiling, 30*time.Minute), l.CallTimeout)
	return l
}

// SetLimits takes effect at once, but stops nothing that runs: a bound that is
// passed already holds for the next start.
func (s *Supervisor) SetLimits(l Limits) {
	l = l.withDefaults()
	s.limits.Store(&l)
	s.budget.set(l)
	for _, i := range s.all() {
		i.post(i.watchIdle)
	}
}

// BudgetError says which bound keeps a connector from starting.
type BudgetError struct {
	Key   string        // of the configuration
	Limit int           // its value
	Wait  time.Duration // after which it is worth trying again by itself; 0 = nobody knows
}

func (e *BudgetError) Error() string {
	what := map[string]string{
		keyInstances: "%d connectors run already, which is the bound %s",
		keyMember:    "%d connectors of this member run already, which is the bound %s",
		keySpawns:    "%d processes were started within a minute, which is the bound %s",
	}[e.Key]
	return fmt.Sprintf("it is not started: "+what, e.Limit, e.Key)
}

const (
	keyInstances = "limits.instances"
	keyMember    = "limits.member_instances"
	keySpawns    = "limits.spawns_per_minute"
)

// budget counts what runs against the bounds. The zero value knows no bounds.
type budget struct {
	mu     sync.Mutex // protects the fields below
	limits Limits
	all    int
	member map[string]int
	spawns *rate.Limiter // nil = any number
}

func (b *budget) set(l Limits) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.Spawns == 0 {
		b.spawns = nil
	} else if b.spawns == nil || b.limits.Spawns != l.Spawns {
		b.spawns = rate.NewLimiter(rate.Limit(float64(l.Spawns)/60), l.Spawns)
	}
	b.limits = l
}

// take counts one more of the member's, or fails with a *BudgetError. give is
// called when it does not run any more, once.
func (b *budget) take(member string) (give func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, bound := range []struct {
		key         string
		have, limit int
	}{{keyInstances, b.all, b.limits.Instances}, {keyMember, b.member[member], b.limits.Member}} {
		if bound.limit > 0 && bound.have >= bound.limit {
			return nil, &BudgetError{Key: bound.key, Limit: bound.limit}
		}
	}
	if b.spawns != nil && !b.spawns.Allow() {
		wait := (1 - b.spawns.Tokens()) / float64(b.spawns.Limit()) // seconds
		return nil, &BudgetError{Key: keySpawns, Limit: b.limits.Spawns, Wait: time.Duration(math.Ceil(wait)) * time.Second}
	}
	if b.member == nil {
		b.member = map[string]int{}
	}
	b.all, b.member[member] = b.all+1, b.member[member]+1
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.all, b.member[member] = b.all-1, b.member[member]-1
	}, nil
}

// sleeps reports whether a connector is stopped when nobody calls it. One that
// signs in by QR code would lose its connection, one that reports what happens
// outside would miss it.
func (l Limits) sleeps(connector string, listens bool) bool {
	return l.Idle > 0 && (!listens || slices.Contains(l.IdleAlso, connector))
}
