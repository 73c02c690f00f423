package supervisor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"majordomo/configs/humanize"
	"majordomo/mcpclient"
	"majordomo/mcpclient/stderr"
)

// How an instance comes up. bringUp is a worker; the rest runs in the instance's
// goroutine.

// begin starts a generation.
func (i *instance) begin(why string) {
	i.noRetry()
	i.why = why
	i.again, i.saved = false, 0
	i.generation++
	generation := i.generation
	ctx, cancel := context.WithCancel(context.Background())
	i.cancel = cancel
	i.to(Preparing)
	err := i.s.budget.take(i.place)
	if err == nil {
		err = i.s.budget.spawn()
	}
	if err != nil {
		cancel()
		i.fail(err, failure{})
		return
	}
	i.work(func() {
		defer cancel()
		i.bringUp(ctx, generation)
	})
}

// up is the outcome of a start.
type up struct {
	prepared
	running Running
	lasted  time.Duration // of the process; 0 = there was none
	err     error
}

// bringUp prepares and starts: two phases with separate clocks.
func (i *instance) bringUp(ctx context.Context, generation uint64) {
	var u up
	u.prepared, u.err = i.s.prepare(ctx, i.key)
	if u.err == nil {
		i.tree.Store(u.Plan.Tree.Key)
		u.Plan.Log = i.openLog(u.Plan)
		made := u.prepared
		u.Plan.OnTools = func(tools []mcpclient.Tool) { i.post(func() { i.onTools(generation, tools, made) }) }
		u.Plan.OnAlive = func(alive bool) { i.post(func() { i.onAlive(generation, alive) }) }
		u.running, u.lasted, u.err = i.launch(ctx, u.Plan)
	}
	i.post(func() { i.onUp(generation, u) })
}

// openLog begins the log of the next process.
func (i *instance) openLog(p Plan) *stderr.Log {
	trouble := func(err error) {
		i.s.o.Log.Warn("cannot keep a log file", zap.String("member", p.Member), zap.String("connector", p.Connector), zap.Error(err))
		i.s.inform(i.key, Event{Cause: CauseDisk, Text: fmt.Sprintf("its log cannot be kept: %v", humanize.Error(err)), Next: adviceLog})
	}
	log, err := i.log.open(i.s.o.Paths.Log(p.Member, p.Name), p.Secrets, trouble)
	if err != nil {
		trouble(err)
	}
	return log
}

// errTimeUp is why a start that takes too long is ended, in the words of people.
var errTimeUp = errors.New("its time was up")

func (i *instance) launch(ctx context.Context, p Plan) (Running, time.Duration, error) {
	release, err := i.s.starts.take(ctx)
	if err != nil {
		return Running{}, 0, err
	}
	defer release()
	i.post(func() {
		if i.state == Preparing {
			i.to(Starting)
		}
	})
	limit, start := i.s.limits.Load().StartTimeout, time.Now()
	timed, cancel := context.WithTimeoutCause(ctx, limit, errTimeUp)
	defer cancel()
	r, err := i.s.o.Launcher.Launch(timed, p)
	i.s.o.Meter.Started(time.Since(start), err == nil)
	if err != nil && errors.Is(timed.Err(), context.DeadlineExceeded) {
		err = &StartLimitError{limit, err}
	}
	return r, time.Since(start), err
}

func (i *instance) onUp(generation uint64, u up) {
	switch {
	case i.state == Stopping && u.err == nil:
		i.end(context.Background(), u.running)
	case i.state == Stopping:
		i.onStopped()
	case u.err != nil:
		quick := u.lasted > 0 && u.lasted <= atOnce
		i.fail(u.err, failure{quick: quick, hope: hopeOf(u.err)})
	default:
		i.serve(generation, u)
	}
}

// serve takes a started connector into use.
func (i *instance) serve(generation uint64, u up) {
	l := &live{Running: u.running, generation: generation, since: time.Now(), scans: u.scans()}
	i.number.Store(u.number)
	i.onTools(generation, u.running.Session.Tools(), u.prepared)
	i.live.Store(l)
	i.to(Serving)
	i.work(func() {
		<-l.Process.Done()
		i.post(func() {
			i.noise.Add(l.noise())
			i.onExit(l)
		})
	})
	i.answer(outcome{live: l})
	i.watchIdle()
	i.login.begin(u.prepared)
	i.askLogin()
}

// onTools takes over a listing, whole.
func (i *instance) onTools(generation uint64, tools []mcpclient.Tool, p prepared) {
	if generation != i.generation {
		return
	}
	all := list(tools, p.Plan.Package.Release.Titles)
	if before := *i.tools.Load(); len(all) == 0 && len(before) > 0 {
		i.missTools(len(before))
	}
	i.tools.Store(&all)
	i.s.listed(i.key, p.number, all)
}
