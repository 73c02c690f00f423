package supervisor

import (
	"context"
	"errors"
	"strings"
	"time"

	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/sandbox/runtimes"
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

// fail settles a start that failed or a process that ended: again soon, again
// rarely, or not until somebody asks.
func (i *instance) fail(err error, f failure) {
	c := i.because(err, f)
	i.lastError, i.cause = err, &c
	i.s.o.Meter.Failed(c.Kind)
	f.words = c.Text + strings.Join(c.Said, "\n")
	i.log.note("[majordomo] " + c.Text)
	i.login.end(i.unavailable("its process is gone"))
	wait, v := i.prospect(err, f)
	i.come(wait, v)
	i.notify()
	i.answer(outcome{err: i.failed()})
}

// come goes where the prospect says. Its place in the budget is kept for a try
// that comes soon; what is given up leaves it to others.
func (i *instance) come(wait time.Duration, v prospect) {
	if v == again || v == rarely {
		i.retryIn(wait)
	}
	if v == again || v == forRoom {
		i.to(Backoff)
		return
	}
	i.to(Failed)
	i.s.budget.leave(i.place)
}

// prospect asks the ladder, unless it is not the connector's fault.
func (i *instance) prospect(err error, f failure) (time.Duration, prospect) {
	over, ok := errors.AsType[*BudgetError](err)
	switch {
	case ok && over.Wait > 0:
		return over.Wait, again
	case ok:
		return 0, forRoom
	}
	return i.ladder.fail(f)
}

// onRoom hears that others have left room for one that waits for it.
func (i *instance) onRoom() {
	if i.state == Backoff && i.retryAt.IsZero() {
		i.begin("there is room for it")
	}
}

// retryIn and noRetry set and stop the timer of the next try.
func (i *instance) retryIn(wait time.Duration) {
	i.retryAt = time.Now().Add(wait)
	i.retry.Reset(wait)
}

func (i *instance) noRetry() {
	i.retry.Stop()
	i.retryAt = time.Time{}
}

// stop ends whatever is under way; onStopped goes on from there.
func (i *instance) stop(ctx context.Context, why string) {
	i.noRetry()
	i.why = why
	switch l := i.live.Swap(nil); {
	case l != nil:
		i.part(ctx, l)
	case i.state == Preparing, i.state == Starting:
		i.to(Stopping)
		i.cancel()
	case i.state != Stopping:
		i.onStopped()
	}
}

// answer tells the calls that wait for a start.
func (i *instance) answer(o outcome) { i.settle(&i.waiting, o) }

func (i *instance) settle(who *[]chan<- outcome, o outcome) {
	for _, reply := range *who {
		reply <- o
	}
	*who = nil
}

func (i *instance) unavailable(why string) error {
	return &Unavailable{Connector: i.key.connector, State: i.state, Why: why}
}

// failed is the answer about a connector that does not start or stay up.
func (i *instance) failed() error {
	return &Unavailable{
		Connector: i.key.connector, State: i.state, Why: i.cause.Text, Next: i.cause.Next, Tail: i.cause.Said, Err: i.lastError,
	}
}

// hopeOf is the best that can come of a failure. What a person repairs by telling
// the daemon, by installing or activating, is started for that; what they repair
// elsewhere is found out by trying now and then.
func hopeOf(err error) prospect {
	switch {
	case is[settled](err) && (is[*install.NotInstalledError](err) || is[*manifest.Refusal](err) || is[*Invalid](err)):
		return never
	case is[settled](err), overDisk(err), is[*runtimes.MissingError](err):
		return rarely
	}
	return again
}
