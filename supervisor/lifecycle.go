package supervisor

import (
	"context"
	"errors"
	"strings"
	"time"

	"majordomo/sandbox/runtimes"
)

// What an instance does about calls, people and the end of its process. All of it
// runs in the instance's goroutine.

// wakeAfter is how long a connector that was given up is left alone: calls that
// come sooner hear why at once, so that an agent's loop starts no storm.
const wakeAfter = 5 * time.Second

// onCall answers a call, at once or when the start under way has ended.
func (i *instance) onCall(reply chan<- outcome) {
	switch {
	case i.closing:
		reply <- outcome{err: i.ended()}
	case i.state == Serving, i.state == Degraded:
		reply <- outcome{live: i.live.Load()}
	case i.state == Failed && time.Since(i.failedAt) < wakeAfter:
		reply <- outcome{err: i.failed()}
	default:
		i.waiting = append(i.waiting, reply)
		if i.state == Idle || i.state == Failed {
			i.begin()
		}
	}
}

func (i *instance) onRestart(reply chan<- outcome) {
	if i.closing {
		reply <- outcome{err: i.ended()}
		return
	}
	i.lastError, i.lastWords, i.restarts = nil, nil, 0
	i.ladder.reset()
	i.waiting = append(i.waiting, reply)
	i.stop(context.Background())
}

// onReload has a new release take effect, where something of the old one runs or
// failed to.
func (i *instance) onReload() {
	if i.closing {
		return
	}
	i.ladder.reset()
	i.stop(context.Background())
}

func (i *instance) onHalt(ctx context.Context) {
	i.closing = true
	i.stop(ctx)
}

func (i *instance) onRetry() {
	if i.state != Backoff && i.state != Failed {
		return
	}
	i.restarts++
	i.begin()
}

// onExit hears of a process that ended by itself.
func (i *instance) onExit(l *live) {
	if i.live.Load() != l {
		return
	}
	i.live.Store(nil)
	i.to(Crashed)
	i.fail(l.Process.Cause(), failure{served: time.Since(l.since)})
}

// fail settles a start that failed or a process that ended: again soon, again
// rarely, or not until somebody asks.
func (i *instance) fail(cause error, f failure) {
	i.lastError, i.lastWords = cause, i.log.tail()
	f.words = cause.Error() + strings.Join(i.lastWords, "\n")
	i.log.note("[majordomo] " + i.words())
	i.login.end(i.unavailable("its process is gone"))
	wait, verdict := i.ladder.fail(f)
	switch verdict {
	case again:
		i.retry.Reset(wait)
		i.to(Backoff)
	case rarely:
		i.retry.Reset(wait)
		fallthrough
	case never:
		i.failedAt = time.Now()
		i.to(Failed)
	}
	i.answer(outcome{err: i.failed()})
}

// stop ends whatever is under way; onStopped goes on from there.
func (i *instance) stop(ctx context.Context) {
	i.retry.Stop()
	i.login.end(i.unavailable("it was stopped"))
	switch l := i.live.Swap(nil); {
	case l != nil:
		i.to(Stopping)
		i.end(ctx, l.Process)
	case i.state == Preparing, i.state == Starting:
		i.to(Stopping)
		i.cancel()
	case i.state != Stopping:
		i.onStopped()
	}
}

func (i *instance) end(ctx context.Context, p Process) {
	i.work(func() {
		p.Stop(ctx)
		i.post(i.onStopped)
	})
}

// onStopped goes idle, and starts again unless the instance ends here.
func (i *instance) onStopped() {
	i.to(Idle)
	if !i.closing {
		i.begin()
	}
}

func (i *instance) answer(o outcome) {
	for _, reply := range i.waiting {
		reply <- o
	}
	i.waiting = nil
}

func (i *instance) unavailable(why string) error {
	return &Unavailable{Connector: i.key.connector, State: i.state, Why: why}
}

// failed is the answer about a connector that does not start or stay up.
func (i *instance) failed() error {
	return &Unavailable{Connector: i.key.connector, State: i.state, Why: i.words(), Tail: i.lastWords, Err: i.lastError}
}

// words say what went wrong last, without secrets.
func (i *instance) words() string {
	if i.lastError == nil {
		return ""
	}
	return i.log.redact(i.lastError.Error())
}

// permanent reports whether trying again by itself cannot help.
func permanent(err error) bool {
	var s settled
	var missing *runtimes.MissingError // looked for anew when somebody asks
	return errors.As(err, &s) || errors.As(err, &missing)
}
