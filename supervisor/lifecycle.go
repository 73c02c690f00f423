package supervisor

import (
	"context"
	"time"
)

// What an instance does about calls, people and the end of its process. All of it
// runs in the instance's goroutine.

// wakeAfter is how long a connector that failed is left alone: calls that come
// sooner hear why at once, so that an agent's loop starts no storm, or wait for
// the next try where it is that near. Only the first crash of what had served is
// repaired at once for a call.
const wakeAfter = 5 * time.Second

// onCall answers a call, at once or when the start under way has ended.
func (i *instance) onCall(reply chan<- outcome) {
	switch {
	case i.closing:
		reply <- outcome{err: i.ended()}
	case i.stopped.Load():
		reply <- outcome{err: i.halted()}
	case i.state == Serving, i.state == Degraded:
		reply <- outcome{live: i.live.Load()}
	case i.state == Backoff && i.ladder.sudden:
		i.ladder.sudden = false
		i.waiting = append(i.waiting, reply)
		i.onRetry()
	case i.down() && time.Since(i.cause.At) < wakeAfter:
		if i.retryAt.IsZero() || time.Until(i.retryAt) > wakeAfter {
			reply <- outcome{err: i.failed()}
			return
		}
		i.waiting = append(i.waiting, reply)
	default:
		i.waiting = append(i.waiting, reply)
		if i.state == Idle || i.down() {
			i.begin("it is called")
		}
	}
}

// down reports whether it failed and is not being tried.
func (i *instance) down() bool { return i.state == Backoff || i.state == Failed }

func (i *instance) onRestart(reply chan<- outcome) {
	if i.closing {
		reply <- outcome{err: i.ended()}
		return
	}
	i.lastError, i.cause, i.restarts = nil, nil, 0
	i.ladder.reset()
	i.stopped.Store(false)
	i.waiting = append(i.waiting, reply)
	i.stop(context.Background(), forStart)
}

// onReload has a new release take effect, also where nothing runs: its tools may
// be others. What a person stopped stays so.
func (i *instance) onReload() {
	if i.closing || i.stopped.Load() {
		return
	}
	i.ladder.reset()
	i.again = true
	i.stop(context.Background(), forStart)
}

// onRenew has what runs, or failed to, start anew; what sleeps does so when it is
// called.
func (i *instance) onRenew(why string) {
	if i.closing || i.stopped.Load() || i.state == Idle {
		return
	}
	i.ladder.reset()
	i.again = true
	i.stop(context.Background(), why)
}

func (i *instance) onHalt(ctx context.Context) {
	i.closing = true
	i.stop(ctx, byDaemon)
}

// onRetry is the next try, or the first one after the daemon's start.
func (i *instance) onRetry() {
	switch {
	case i.down():
		i.restarts++
		i.s.o.Meter.Restarted(i.cause.Kind)
		i.begin("it is tried again")
	case i.state == Idle:
		i.begin("the daemon starts")
	}
}

// onExit hears of a process that ended by itself.
func (i *instance) onExit(l *live) {
	if i.live.Load() != l {
		return
	}
	i.live.Store(nil)
	i.why = i.log.redact(l.Process.Cause().Error())
	i.to(Crashed)
	i.fail(l.Process.Cause(), failure{ready: true, served: time.Since(l.since)})
}
