package supervisor

import (
	"strings"
	"time"
	"unicode"

	"github.com/cenkalti/backoff/v5"
)

const (
	sameWords    = 3               // quick failures alike, after which it will not soon get better by itself
	tries        = 8               // failures in a row after which it is tried only now and then
	atOnce       = 3 * time.Second // how soon the failure of a start is quick
	steady       = 5 * time.Minute // an uptime that makes earlier failures forgotten
	slowRetry    = 15 * time.Minute
	firstBackoff = time.Second
	maxBackoff   = time.Minute
	jitter       = 0.5 // up to this much of a wait is left to chance and taken off
)

// ladder decides how long to wait after each failure, and when to give up.
type ladder struct {
	intervals *backoff.ExponentialBackOff
	failures  int
	words     string // of the last failure
	alike     int    // quick failures in a row with these words
	sudden    bool   // the last failure is the only one, of what had served: a call need not wait
}

func newLadder() *ladder {
	b := backoff.NewExponentialBackOff()
	// The library adds chance on both sides of an interval.
	middle := func(d time.Duration) time.Duration { return time.Duration(float64(d) * (1 - jitter/2)) }
	b.InitialInterval, b.MaxInterval = middle(firstBackoff), middle(maxBackoff)
	b.Multiplier, b.RandomizationFactor = 2, jitter/(2-jitter)
	b.Reset()
	return &ladder{intervals: b}
}

// reset forgets every failure.
func (l *ladder) reset() {
	l.intervals.Reset()
	l.failures, l.words, l.alike, l.sudden = 0, "", 0, false
}

// failure is what the ladder wants to know of one.
type failure struct {
	words  string        // cause and last words
	quick  bool          // its process was never ready and ended at once
	ready  bool          // it had been ready
	served time.Duration // how long it had been ready
	hope   prospect      // the best that can come of it
}

// prospect is what becomes of an instance that failed.
type prospect int

// From the best to the worst.
const (
	again   prospect = iota // try again after the wait
	forRoom                 // try again when other instances leave it room
	rarely                  // given up, but somebody may repair it: try again after the wait
	never                   // given up until a person tells the daemon something
)

func (l *ladder) fail(f failure) (wait time.Duration, v prospect) {
	if f.served >= steady {
		l.reset()
	}
	l.failures++
	l.sudden = f.ready && l.failures == 1
	words := stable(f.words)
	if words != l.words || !f.quick {
		l.alike = 0
	}
	if l.words = words; f.quick {
		l.alike++
	}
	switch {
	case f.hope == never:
		return 0, never
	case f.hope == rarely, l.alike >= sameWords, l.failures >= tries:
		return slowRetry, rarely
	}
	return l.intervals.NextBackOff(), again
}

// stable blanks out what differs between two runs that fail alike: times, pids,
// addresses.
func stable(words string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}, words)
}
