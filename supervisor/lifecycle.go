package supervisor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.uber.org/zap"

	"majordomo/mcpclient"
	"majordomo/mcpclient/stderr"
	"majordomo/sandbox/runtimes"
)

// Everything in this file runs in the instance's goroutine, but for the workers
// bringUp, watch and end.

// wakeAfter is how long a connector that was given up is left alone: calls that
// come sooner hear why at once, so that an agent's loop starts no storm.
const wakeAfter = 5 * time.Second

// onCall answers a call, at once or when the start under way has ended.
func (i *instance) onCall(reply chan<- outcome) {
	switch {
	case i.closing:
		reply <- outcome{err: i.unavailable(goneWords)}
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
		reply <- outcome{err: i.unavailable(goneWords)}
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

// begin starts a generation.
func (i *instance) begin() {
	i.retry.Stop()
	i.generation++
	generation := i.generation
	ctx, cancel := context.WithCancel(context.Background())
	i.cancel = cancel
	i.to(Preparing)
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
		u.Plan.Log = i.openLog(u.Plan)
		made := u.prepared
		u.Plan.OnTools = func(tools []mcpclient.Tool) { i.post(func() { i.onTools(generation, tools, made) }) }
		u.running, u.lasted, u.err = i.launch(ctx, u.Plan)
	}
	i.post(func() { i.onUp(generation, u) })
}

// openLog begins the log of the next process.
func (i *instance) openLog(p Plan) *stderr.Log {
	log, err := i.log.open(i.s.o.Paths.Log(p.Member, p.Name), p.Secrets)
	if err != nil {
		i.s.o.Log.Warn("cannot keep a log file", zap.String("member", p.Member), zap.String("connector", p.Connector), zap.Error(err))
	}
	return log
}

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
	limit, start := i.s.o.StartTimeout, time.Now()
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, err := i.s.o.Launcher.Launch(timed, p)
	if err != nil && errors.Is(timed.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it was not ready within %v of its start: %w", limit, err)
	}
	return r, time.Since(start), err
}

func (i *instance) onUp(generation uint64, u up) {
	switch {
	case i.state == Stopping && u.err == nil:
		i.end(context.Background(), u.running.Process)
	case i.state == Stopping:
		i.onStopped()
	case u.err != nil:
		quick := u.lasted > 0 && u.lasted <= atOnce
		i.fail(u.err, failure{quick: quick, permanent: permanent(u.err)})
	default:
		i.serve(generation, u)
	}
}

// serve takes a started connector into use.
func (i *instance) serve(generation uint64, u up) {
	l := &live{Running: u.running, generation: generation, since: time.Now()}
	i.number.Store(u.number)
	i.onTools(generation, u.running.Session.Tools(), u.prepared)
	i.live.Store(l)
	i.to(Serving)
	i.work(func() {
		<-l.Process.Done()
		i.post(func() { i.onExit(l) })
	})
	i.answer(outcome{live: l})
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
		i.s.o.Log.Warn("a connector lists no tools any more", zap.String("member", i.key.member),
			zap.String("connector", i.key.connector), zap.Int("before", len(before)))
	}
	i.tools.Store(&all)
	i.s.listed(i.key, p.number, all)
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
	var p *Permanent
	var missing *runtimes.MissingError // looked for anew when somebody asks
	return errors.As(err, &p) || errors.As(err, &missing)
}
