package supervisor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"majordomo/configs/manifest"
	"majordomo/supervisor/activations"
)

// Development asks to run a connector that is not installed, for one member.
type Development struct {
	Member, Connector string
	Files             map[string][]byte // what is shipped, and fragment.json, by path
	Set               map[string]string // form values; nothing that the member activated is used
	Secrets           map[string]string
	Report            func(Progress) // called one at a time, not after Develop returned; the connector waits for it to return
}

// PhaseTaken of a Development's progress: from here on these files are what runs.
const PhaseTaken = "taken"

// maxBenches is how many connectors of one member may be under development at once.
const maxBenches = 4

// Develop runs a connector from the files given until ctx ends, in the place of
// what the member activated of it, if anything; that runs again afterwards. It
// has a directory of its own, which goes when it goes.
//
// Files for which Develop is running already take the place of the earlier ones,
// whose Develop returns; unless they cannot be run at all, when there is an error
// and nothing has changed. That one does not start is no error: it is reported,
// and tried again like any other.
func (s *Supervisor) Develop(ctx context.Context, d Development) error {
	var one sync.Mutex
	report := d.Report
	d.Report = func(p Progress) {
		one.Lock()
		defer one.Unlock()
		report(p)
	}
	b, in, err := s.takeBench(ctx, d)
	if err != nil {
		return err
	}
	defer s.leaveBench(b)
	return s.watchBench(ctx, b, in, d.Report)
}

// takeBench lays the files out, builds what they need, and then has them take the
// place of what ran.
func (s *Supervisor) takeBench(ctx context.Context, d Development) (_ *bench, _ *instance, err error) {
	k := key{d.Member, d.Connector}
	unlock, err := s.edits.Lock(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	b, err := s.newBench(ctx, d)
	defer func() {
		if b != nil && s.bench(k) == nil { // it never came to run
			err = errors.Join(err, clearBench(s.o.Paths, k))
		}
	}()
	if err != nil {
		return nil, nil, err
	}
	needs := b.needs()
	needs.Force = true
	plan, err := s.planWith(ctx, b.act, b.pkg, b.filled, needs, d.Report)
	if err != nil {
		return nil, nil, err
	}
	if b.mustVerify(s.bench(k)) {
		s.tryValues(ctx, plan, d.Report)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return s.putOnBench(ctx, b)
}

// putOnBench is the moment from which the new files count.
func (s *Supervisor) putOnBench(ctx context.Context, b *bench) (*bench, *instance, error) {
	if err := b.settle(s.o.Paths); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	before := s.benches[b.key]
	s.benches[b.key] = b
	s.mu.Unlock()
	if before != nil {
		close(before.over)
	} else {
		s.drop(context.WithoutCancel(ctx), b.key)
	}
	in, err := s.instance(b.key)
	return b, in, err
}

// tryValues runs the connector's own check; what it says is for the author.
func (s *Supervisor) tryValues(ctx context.Context, p Plan, report func(Progress)) {
	report(Progress{Phase: "verify", Message: "asking the connector to check these values"})
	said := "the values passed"
	if err := s.verify(ctx, p); err != nil {
		said = err.Error()
	}
	report(Progress{Phase: "verify", Message: said})
}

// errTaken ends a Develop whose files were replaced.
var errTaken = errors.New("cannot go on: newer files were sent for this connector and member")

// watchBench starts the instance and reports what becomes of it.
func (s *Supervisor) watchBench(ctx context.Context, b *bench, in *instance, report func(Progress)) error {
	var following sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer following.Wait()
	defer stop()
	begun := time.Now()
	in.openLog(Plan{Member: b.act.Member, Connector: b.act.Connector, Name: b.act.Name, Secrets: b.filled.sealed})
	following.Go(func() {
		for line := range in.log.lines(ctx, true) {
			if line.At.After(begun) {
				report(Progress{Phase: "log", Message: line.Text})
			}
		}
	})
	report(Progress{Phase: PhaseTaken, Message: "running these files"})
	views := make(chan *view, 16)
	in.post(func() { in.onBench(views) })
	for {
		select {
		case v := <-views:
			if p, worth := in.tell(v); worth {
				report(p)
			}
		case <-b.over:
			return errTaken
		case <-in.gone:
			return fmt.Errorf("cannot go on with %s: %w", b.key.connector, errEnded)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// onBench starts anew and has whoever watches told from now on.
func (i *instance) onBench(views chan<- *view) {
	i.lastError, i.cause, i.restarts = nil, nil, 0
	i.stopped.Store(false)
	last := State("")
	i.watch = func(v *view) {
		if v.state == last {
			return
		}
		last = v.state
		select {
		case views <- v:
		default: // nobody reads that fast, and the next one will do
		}
	}
	i.onReload()
}

// tell says what an author wants to know of a view.
func (i *instance) tell(v *view) (p Progress, worth bool) {
	switch v.state {
	case Starting:
		return Progress{Phase: string(v.state), Message: ""}, true
	case Serving:
		return Progress{Phase: string(v.state), Message: fmt.Sprintf("tools: %d", len(*i.tools.Load()))}, true
	case Backoff:
		return Progress{Phase: string(v.state), Message: v.cause.Text + "; it will be tried again"}, true
	case Failed:
		return Progress{Phase: string(v.state), Message: v.cause.Text}, true
	}
	return Progress{}, false
}

// leaveBench puts things back as they were, unless newer files took over.
func (s *Supervisor) leaveBench(b *bench) {
	ctx := context.Background()
	unlock, err := s.edits.Lock(ctx, b.key)
	if err != nil {
		return
	}
	defer unlock()
	if s.bench(b.key) != b {
		return
	}
	s.drop(ctx, b.key)
	err = b.clear(s.o.Paths)
	s.mu.Lock()
	delete(s.benches, b.key)
	s.mu.Unlock()
	act, getErr := s.activations.Get(ctx, b.key.member, b.key.connector)
	if getErr == nil {
		var in *instance
		if in, getErr = s.restore(act); getErr == nil && !act.Stopped {
			in.nudge(0)
		}
	}
	if errors.Is(getErr, activations.ErrUnknown) || errors.Is(getErr, ErrStopping) {
		getErr = nil
	}
	if err = errors.Join(err, getErr); err != nil {
		s.o.Log.Warn("cannot clear up after development", zap.String("member", b.key.member), zap.String("connector", b.key.connector), zap.Error(err))
	}
}

// forOne is a release as it is tried out: for one member, whatever it will be.
func forOne(r manifest.Release) (manifest.Release, error) {
	r.Scope = manifest.ScopeUser
	if err := r.Installable(); err != nil {
		return r, &manifest.Refusal{What: "run " + r.ID, Why: strings.TrimPrefix(err.Error(), "cannot install "+r.ID+": ")}
	}
	return r, runnable(r)
}
