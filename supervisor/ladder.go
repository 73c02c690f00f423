package supervisor

import (
	"strings"
	"time"
	"unicode"

	"github.com/cenkalti/backoff/v5"
)

const (
	sameWords    = 3               // failures alike, each at once, after which it will not get better by itself
	tries        = 6               // failures in a row after which it is tried only now and then
	atOnce       = 3 * time.Second // how soon a failure is "at once"
	steady       = time.Minute     // an uptime that makes earlier failures forgotten
	slowRetry    = 5 * time.Minute
	firstBackoff = 250 * time.Millisecond
	maxBackoff   = 30 * time.Second
)

// ladder decides how long to wait after each failure, and when to give up.
type ladder struct {
	intervals *backoff.ExponentialBackOff
	failures  int
	words     string // of the last failure
	alike     int    // failures in a row with these words, each at once
}

func newLadder() *ladder {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval = firstBackoff, maxBackoff
	b.Multiplier, b.RandomizationFactor = 2, 0.25
	b.Reset()
	return &ladder{intervals: b}
}

// reset forgets every failure.
func (l *ladder) reset() {
	l.intervals.Reset()
	l.failures, l.words, l.alike = 0, "", 0
}

// failure is what the ladder wants to know of one.
type failure struct {
	words     string        // cause and last words
	lasted    time.Duration // from the start of the process to its end
	served    time.Duration // how long it had been ready
	permanent bool
}

// verdicts of a ladder.
const (
	again  = iota // try again after the wait
	rarely        // given up, but try again after the wait
	never         // given up until somebody asks
)

func (l *ladder) fail(f failure) (wait time.Duration, verdict int) {
	if f.served >= steady {
		l.reset()
	}
	l.failures++
	if words := stable(f.words); f.lasted <= atOnce && words == l.words {
		l.alike++
	} else {
		l.words, l.alike = words, 1
	}
	switch {
	case f.permanent, l.alike >= sameWords:
		return 0, never
	case l.failures >= tries:
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
