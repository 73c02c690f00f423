package supervisor

import (
	"context"
	"time"
)

// What others ask of an instance, from any goroutine: each asks by mail and waits for
// the outcome.

// outcome of waking an instance.
type outcome struct {
	live *live
	err  error
}

// wake returns what can be called, after starting it if need be; the caller
// releases it when the call is over. Any number of callers wait for one start.
func (i *instance) wake(ctx context.Context) (*live, error) {
	for {
		l := i.live.Load()
		if dead := l; l != nil && l.gone() {
			l = nil
			i.post(func() { i.onExit(dead) }) // before the question below, whoever else tells it
		}
		if l == nil {
			var err error
			if l, err = i.await(ctx, i.onCall); err != nil {
				return nil, err
			}
		}
		if i.acquire(l) {
			return l, nil
		}
	}
}

// stopAsPerson stops what runs, until a person wants it to run again.
func (i *instance) stopAsPerson(ctx context.Context) error {
	_, err := i.await(ctx, i.onStop)
	return err
}

// start starts what does not run, forgetting earlier failures.
func (i *instance) start(ctx context.Context) error {
	_, err := i.await(ctx, i.onStart)
	return err
}

// restart stops what runs and starts it anew, forgetting earlier failures.
func (i *instance) restart(ctx context.Context) error {
	_, err := i.await(ctx, i.onRestart)
	return err
}

func (i *instance) await(ctx context.Context, on func(chan<- outcome)) (*live, error) {
	reply := make(chan outcome, 1)
	if !i.post(func() { on(reply) }) {
		return nil, i.ended()
	}
	select {
	case o := <-reply:
		return o.live, o.err
	case <-ctx.Done():
		v := i.view.Load()
		return nil, &Unavailable{Connector: i.key.connector, State: v.state, Why: "it is still " + string(v.state) + "; try again", Err: context.Cause(ctx)}
	}
}

// halt stops what runs, ends the instance's goroutine and returns when both are
// gone. When ctx ends, the rest of the process's grace is skipped.
func (i *instance) halt(ctx context.Context) {
	i.post(func() { i.onHalt(ctx) })
	<-i.gone
}

// nudge has an idle instance start in a while, or at once for a call.
func (i *instance) nudge(in time.Duration) {
	i.post(func() {
		if i.state == Idle {
			i.retryIn(in)
		}
	})
}

// answer tells the calls that wait for a start.
func (i *instance) answer(o outcome) { i.settle(&i.waiting, o) }

func (i *instance) settle(who *[]chan<- outcome, o outcome) {
	for _, reply := range *who {
		reply <- o
	}
	*who = nil
}
