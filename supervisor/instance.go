package supervisor

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// key names what there is one of: an activation, and its instance.
type key struct{ member, connector string }

// instance owns what runs for one activation. Its goroutine, run, is the only
// one that touches the fields below the line; others send it functions to run.
//
//	wake, restart, halt ─┐
//	retry, poll timers ──┼─▶ run ─▶ live (atomic): what a call needs, and nothing else
//	bringUp, watch ──────┘
//
// run waits for mail and timers, and for the moment it takes to write a row or a
// log line: what takes longer is done by a worker, which mails the outcome with
// the generation it belongs to.
type instance struct {
	key   key
	s     *Supervisor
	log   journal
	mail  chan func()
	place *place        // in the budget
	gone  chan struct{} // closed when run has returned

	live  atomic.Pointer[live]     // nil unless calls can be made
	view  atomic.Pointer[view]     // for the status
	tools atomic.Pointer[[]listed] // as last listed

	tree   atomic.Value // string: key of the dependencies that it was started with last
	number atomic.Int64 // of the activation; orders the member's tools

	noise   atomic.Int64 // lines of processes that have ended
	stopped atomic.Bool  // a person wants it so; its tools are not listed

	// ---- owned by run ----
	state      State
	generation uint64 // of the last start; mail of an older one is dropped
	restarts   int
	lastError  error
	cause      *Cause    // of lastError; nil = nothing went wrong yet
	retryAt    time.Time // when retry fires, in Backoff and Failed; zero = never
	again      bool      // will start when what is being stopped has ended
	why        string    // it is stopped
	lastStop   *LastStop
	saved      int64 // bytes that its process used when it was stopped last
	closing    bool  // will end when nothing runs

	cancel  context.CancelFunc // ends the start under way
	ladder  *ladder
	retry   *time.Timer
	idle    *time.Timer
	resting []chan<- outcome // who waits for it to be stopped
	login   login
	waiting []chan<- outcome // calls that wait for the start under way
	watch   func(*view)      // hears of every view and may not block; nil = nobody does
}

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

// outcome of waking an instance.
type outcome struct {
	live *live
	err  error
}

// view is what the status shows; it is replaced, never changed.
type view struct {
	state      State
	generation uint64
	restarts   int
	cause      *Cause
	retryAt    time.Time
	lastStop   *LastStop
	saved      int64
	live       *live
}

func newInstance(s *Supervisor, k key) *instance {
	i := &instance{
		key: k, s: s,
		mail: make(chan func()), place: newPlace(k.member), gone: make(chan struct{}),
		state: Idle, ladder: newLadder(),
		retry: stoppedTimer(), idle: stoppedTimer(), login: login{timer: stoppedTimer()},
	}
	i.tools.Store(new([]listed))
	i.publish()
	return i
}

func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// run is the instance's goroutine. It ends after halt, when nothing runs.
func (i *instance) run() {
	defer close(i.gone)
	for !i.closing || i.state.busy() {
		select {
		case f := <-i.mail:
			f()
		case <-i.place.room:
			i.onRoom()
		case <-i.retry.C:
			i.onRetry()
		case <-i.idle.C:
			i.onIdle()
		case <-i.login.timer.C:
			i.askLogin()
		}
	}
	i.retry.Stop()
	i.idle.Stop()
	i.login.timer.Stop()
	i.to(Idle)
	i.s.budget.leave(i.place)
	i.answer(outcome{err: i.ended()})
	i.settle(&i.resting, outcome{err: i.ended()})
}

// errEnded answers whoever asks for an instance that has ended.
var errEnded = errors.New("it was deactivated, or the daemon is stopping")

func (i *instance) ended() error {
	return &Unavailable{Connector: i.key.connector, State: Idle, Why: errEnded.Error(), Err: errEnded}
}

// post has f run by the instance's goroutine; false when that has ended.
func (i *instance) post(f func()) bool {
	select {
	case i.mail <- f:
		return true
	case <-i.gone:
		return false
	}
}

// to is the only way into another state. A step that is not in the table is a
// mistake of this package: it is not made, and a development log panics.
func (i *instance) to(state State) {
	log := i.s.o.Log.With(zap.String("member", i.key.member), zap.String("connector", i.key.connector),
		zap.String("from", string(i.state)), zap.String("to", string(state)), zap.Uint64("generation", i.generation))
	switch {
	case i.state == state:
	case !permitted(i.state, state):
		log.DPanic("cannot change the state of an instance: there is no such step")
		return
	default:
		log.Info("instance", zap.String("why", i.reason(state)))
		i.s.bus.publish(i.step(state))
	}
	i.state = state
	i.publish()
}

func (i *instance) publish() {
	v := &view{i.state, i.generation, i.restarts, i.cause, i.retryAt, i.lastStop, i.saved, i.live.Load()}
	i.view.Store(v)
	if i.watch != nil {
		i.watch(v)
	}
}

// wake returns what can be called, after starting it if need be; the caller
// leaves it when the call is over. Any number of callers wait for one start.
func (i *instance) wake(ctx context.Context) (*live, error) {
	for {
		l := i.live.Load()
		if l == nil {
			var err error
			if l, err = i.await(ctx, i.onCall); err != nil {
				return nil, err
			}
		}
		if i.enter(l) {
			return l, nil
		}
	}
}

// rest stops what runs, until a person wants it to run again.
func (i *instance) rest(ctx context.Context) error {
	_, err := i.await(ctx, i.onRest)
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

// workers of an instance are waited for by the Supervisor's Stop.
func (i *instance) work(f func()) { i.s.work.Go(f) }
