package supervisor

import (
	"context"
	"fmt"
	"time"

	"majordomo/configs/manifest"
	"majordomo/sandbox"
)

// How an instance comes to rest: because a person says so, or because nobody
// needs it. All of it runs in the instance's goroutine, but for what calls do.

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

// onRest stops what runs and answers when nothing does. Of a person it is a wish
// that holds until a person wants otherwise.
func (i *instance) onRest(reply chan<- outcome) {
	i.resting = append(i.resting, reply)
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
	i.settle(&i.resting, outcome{})
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

// part lets go of what was live and stops its process.
func (i *instance) part(ctx context.Context, l *live) {
	i.idle.Stop()
	i.login.end(i.unavailable("it was stopped"))
	i.to(Stopping)
	i.end(ctx, l.Process)
}

// end stops a process and remembers how that went.
func (i *instance) end(ctx context.Context, p Process) {
	i.work(func() {
		saved := p.Usage().Memory
		stage := p.Stop(ctx)
		i.post(func() {
			i.lastStop = &LastStop{At: time.Now(), Stage: stage, Why: i.why}
			i.saved = saved
			i.log.note(fmt.Sprintf("[majordomo] stopped, because %s: %s", i.why, stages[stage]))
			i.onStopped()
		})
	})
}

// enter counts a call of l that is about to be made; false when l is no longer
// what is to be called. Its order, and that of onIdle, leave no call between.
func (i *instance) enter(l *live) bool {
	l.calls.Add(1)
	if i.live.Load() == l {
		return true
	}
	l.leave()
	return false
}

// leave ends what enter began.
func (l *live) leave() {
	l.used.Store(int64(time.Since(l.since)))
	l.calls.Add(-1)
}

// watchIdle sets the timer that ends an instance which nobody calls.
func (i *instance) watchIdle() {
	i.idle.Stop()
	l, idle := i.live.Load(), i.s.limits.Load().Idle
	switch {
	case l == nil, !i.sleeps(l):
	case l.calls.Load() > 0:
		i.idle.Reset(idle)
	default:
		i.idle.Reset(max(idle-l.unused(), 0))
	}
}

// onIdle stops what nobody called for long enough. Its tools stay listed, and
// the next call starts it.
func (i *instance) onIdle() {
	l, idle := i.live.Swap(nil), i.s.limits.Load().Idle
	if l == nil {
		return
	}
	if l.calls.Load() > 0 || !i.sleeps(l) || l.unused() < idle {
		i.live.Store(l)
		i.watchIdle()
		return
	}
	i.again, i.why = false, fmt.Sprintf("nobody called it for %v", idle)
	i.part(context.Background(), l)
}

// sleeps reports whether l may be stopped when nobody calls it.
func (i *instance) sleeps(l *live) bool {
	return i.s.limits.Load().sleeps(i.key.connector, l.scans || l.Listens != nil && l.Listens())
}

// noise counts lines that were no protocol.
func (l *live) noise() int64 {
	if l.Noise == nil {
		return 0
	}
	return l.Noise()
}

func (l *live) unused() time.Duration { return time.Since(l.since) - time.Duration(l.used.Load()) }

// scans reports whether a connector signs in by QR code, which it has to be awake for.
func (p prepared) scans() bool { return p.Plan.Package.Release.Auth.Kind == manifest.AuthQR }
