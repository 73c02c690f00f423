package supervisor

import (
	"context"
	"fmt"
	"time"

	"majordomo/sandbox"
)

// How an instance is stopped, and started again where somebody waits for that. All of
// it runs in the instance's goroutine.

// stop ends whatever is under way; onStopped goes on from there.
func (i *instance) stop(ctx context.Context, why string) {
	i.noRetry()
	i.why = why
	switch l := i.live.Swap(nil); {
	case l != nil:
		i.detach(ctx, l)
	case i.state == Preparing, i.state == Starting:
		i.to(Stopping)
		i.cancel()
	case i.state != Stopping:
		i.onStopped()
	}
}

// LastStop is how an instance was stopped last.
type LastStop struct {
	At    time.Time
	Stage sandbox.Stage // how far it had to be driven
	Why   string
}

const (
	byPerson = "a person stopped it"
	byDaemon = "it was deactivated, or the daemon stops"
	forStart = "it is started anew"
)

// stages say in words what ended a process.
var stages = map[sandbox.Stage]string{
	sandbox.StageGone:  "it had ended by itself",
	sandbox.StageStdin: "it left when its standard input was closed",
	sandbox.StageTerm:  "it left on SIGTERM, having ignored that its standard input was closed",
	sandbox.StageKill:  "it was killed, having ignored SIGTERM",
	sandbox.StageStuck: "it was killed, and the kernel has not let go of it yet",
}

// onStop stops what runs and answers when nothing does. Of a person it is a wish
// that holds until a person wants otherwise.
func (i *instance) onStop(reply chan<- outcome) {
	i.stopWaiters = append(i.stopWaiters, reply)
	if i.closing {
		return // run answers at its end
	}
	i.stopped.Store(true)
	i.stop(context.Background(), byPerson)
}

// onStart is a person's wish that it runs.
func (i *instance) onStart(reply chan<- outcome) {
	if l := i.live.Load(); l != nil {
		reply <- outcome{live: l}
		return
	}
	i.onRestart(reply)
}

// onStopped goes idle, and starts again where somebody waits for that: then its
// place in the budget is nobody else's meanwhile.
func (i *instance) onStopped() {
	i.to(Idle)
	i.settle(&i.stopWaiters, outcome{})
	wanted := !i.closing && !i.stopped.Load()
	if wanted && (i.again || len(i.waiting) > 0) {
		i.begin(i.why)
		return
	}
	i.s.budget.leave(i.place)
	if i.stopped.Load() && !i.closing {
		i.answer(outcome{err: i.halted()})
	}
}

// halted answers calls of what a person stopped.
func (i *instance) halted() error {
	return &Unavailable{
		Connector: i.key.connector, State: Idle, Why: byPerson,
		Next: fmt.Sprintf("start it with: majordomo start %s --member %s", i.key.connector, i.key.member),
	}
}

// detach lets go of what was live and stops its process.
func (i *instance) detach(ctx context.Context, l *live) {
	i.idle.Stop()
	i.login.end(i.unavailable("it was stopped"))
	i.to(Stopping)
	i.end(ctx, l.Running)
}

// end stops a process and remembers how that went.
func (i *instance) end(ctx context.Context, r Running) {
	i.work(func() {
		saved := r.usage().Memory
		stage := r.Process.Stop(ctx)
		i.post(func() {
			i.lastStop = &LastStop{At: time.Now(), Stage: stage, Why: i.why}
			i.saved = saved
			i.log.note(fmt.Sprintf("[majordomo] stopped, because %s: %s", i.why, stages[stage]))
			i.onStopped()
		})
	})
}
