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

	cancel      context.CancelFunc // ends the start under way
	ladder      *ladder
	retry       *time.Timer
	idle        *time.Timer
	stopWaiters []chan<- outcome // who waits for it to be stopped
	login       login
	waiting     []chan<- outcome // calls that wait for the start under way
	watch       func(*view)      // hears of every view and may not block; nil = nobody does
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
	i.settle(&i.stopWaiters, outcome{err: i.ended()})
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

// workers of an instance are waited for by the Supervisor's Stop.
func (i *instance) work(f func()) { i.s.work.Go(f) }
