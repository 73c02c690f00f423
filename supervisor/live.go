package supervisor

import (
	"sync/atomic"
	"time"

	"majordomo/configs/manifest"
	"majordomo/sandbox"
)

// live is a connector that can be called.
type live struct {
	Running
	generation uint64
	since      time.Time
	scans      bool         // it signs in by QR code
	calls      atomic.Int64 // under way
	used       atomic.Int64 // when the last call ended, in ns after since: no clock that is set changes it
	slow       atomic.Bool  // the last call was not answered in time
}

// acquire counts a call of l that is about to be made; false when l is no longer
// what is to be called. Its order, and that of onIdle, leave no call between.
func (i *instance) acquire(l *live) bool {
	l.calls.Add(1)
	if i.live.Load() == l {
		return true
	}
	l.release()
	return false
}

// gone reports whether its process has ended, of which the instance may not have heard yet.
func (l *live) gone() bool {
	select {
	case <-l.Process.Done():
		return true
	default:
		return false
	}
}

// release ends what acquire began.
func (l *live) release() {
	l.used.Store(int64(time.Since(l.since)))
	l.calls.Add(-1)
}

// noise counts lines that were no protocol.
func (l *live) noise() int64 {
	if l.Noise == nil {
		return 0
	}
	return l.Noise()
}

// usage is what its process uses now.
func (r Running) usage() sandbox.Usage {
	if r.Usage == nil {
		return sandbox.Usage{}
	}
	return r.Usage()
}

func (l *live) unused() time.Duration { return time.Since(l.since) - time.Duration(l.used.Load()) }

// scans reports whether a connector signs in by QR code, which it has to be awake for.
func (p prepared) scans() bool { return p.Plan.Package.Release.Auth.Kind == manifest.AuthQR }
