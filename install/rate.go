package install

import (
	"math"
	"time"
)

const (
	rateSample = 250 * time.Millisecond // shorter than this, a burst would count as a speed
	rateFirst  = time.Second            // no guess before
	rateMemory = 4 * time.Second        // after which a sample weighs about a third
)

// rate is how fast bytes come of late: an average that forgets. The zero value
// knows nothing; newRate makes one.
type rate struct {
	begun, sampled time.Time
	bytes          int64   // since sampled
	speed          float64 // bytes a second; 0 = not known
}

func newRate(now time.Time) rate { return rate{begun: now, sampled: now} }

func (r *rate) add(now time.Time, n int64) {
	r.bytes += n
	took := now.Sub(r.sampled)
	if took < rateSample {
		return
	}
	latest, old := float64(r.bytes)/took.Seconds(), 0.0
	if r.speed > 0 {
		old = math.Exp(-took.Seconds() / rateMemory.Seconds())
	}
	r.speed = old*r.speed + (1-old)*latest
	r.sampled, r.bytes = now, 0
}

// until is how long so many bytes will take, in whole seconds; 0 = not known.
func (r *rate) until(now time.Time, bytes int64) time.Duration {
	if r.speed <= 0 || bytes <= 0 || now.Sub(r.begun) < rateFirst {
		return 0
	}
	seconds := math.Ceil(float64(bytes) / r.speed)
	if seconds > (24 * time.Hour).Seconds() {
		return 0 // nobody believes that
	}
	return time.Duration(seconds) * time.Second
}
