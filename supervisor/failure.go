package supervisor

import (
	"errors"
	"strings"
	"time"

	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/sandbox/runtimes"
)

// What becomes of an instance that failed. All of it runs in the instance's goroutine.

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
	i.conclude(wait, v)
	i.notify()
	i.answer(outcome{err: i.failed()})
}

// conclude goes where the prospect says. Its place in the budget is kept for a try
// that comes soon; what is given up leaves it to others.
func (i *instance) conclude(wait time.Duration, v prospect) {
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

// failed is the answer about a connector that does not start or stay up.
func (i *instance) failed() error {
	return &Unavailable{
		Connector: i.key.connector, State: i.state, Why: i.cause.Text, Next: i.cause.Next, Tail: i.cause.Said, Err: i.lastError,
	}
}

func (i *instance) unavailable(why string) error {
	return &Unavailable{Connector: i.key.connector, State: i.state, Why: why}
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
