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

// maxDevVersions is how many connectors of one member may be under development at once.
const maxDevVersions = 4

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
	dev, in, err := s.takeDevVersion(ctx, d)
	if err != nil {
		return err
	}
	defer s.endDevVersion(dev)
	return s.watchDevVersion(ctx, dev, in, d.Report)
}

// takeDevVersion writes the files, builds what they need, and then has them take the
// place of what ran.
func (s *Supervisor) takeDevVersion(ctx context.Context, d Development) (_ *devVersion, _ *instance, err error) {
	k := key{d.Member, d.Connector}
	unlock, err := s.edits.Lock(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	dev, err := s.newDevVersion(ctx, d)
	defer func() {
		if dev != nil && s.devVersion(k) == nil { // it never came to run
			err = errors.Join(err, removeDevFiles(s.o.Paths, k))
		}
	}()
	if err != nil {
		return nil, nil, err
	}
	needs := dev.needs()
	needs.Force = true
	plan, err := s.planWith(ctx, dev.act, dev.pkg, dev.filled, needs, d.Report)
	if err != nil {
		return nil, nil, err
	}
	if dev.mustVerify(s.devVersion(k)) {
		s.tryValues(ctx, plan, d.Report)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return s.switchTo(ctx, dev)
}

// switchTo makes the new files what runs.
func (s *Supervisor) switchTo(ctx context.Context, dev *devVersion) (*devVersion, *instance, error) {
	if err := dev.makeCurrent(s.o.Paths); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	before := s.devVersions[dev.key]
	s.devVersions[dev.key] = dev
	s.mu.Unlock()
	if before != nil {
		close(before.replaced)
	} else {
		s.drop(context.WithoutCancel(ctx), dev.key)
	}
	in, err := s.instance(dev.key)
	return dev, in, err
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

// watchDevVersion starts the instance and reports what becomes of it.
func (s *Supervisor) watchDevVersion(ctx context.Context, dev *devVersion, in *instance, report func(Progress)) error {
	var following sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer following.Wait()
	defer stop()
	begun := time.Now()
	in.openLog(Plan{Member: dev.act.Member, Connector: dev.act.Connector, Name: dev.act.Name, Secrets: dev.filled.sealed})
	following.Go(func() {
		for line := range in.log.lines(ctx, true) {
			if line.At.After(begun) {
				report(Progress{Phase: "log", Message: line.Text})
			}
		}
	})
	report(Progress{Phase: PhaseTaken, Message: "running these files"})
	views := make(chan *view, 16)
	in.post(func() { in.onDevVersion(views) })
	for {
		select {
		case v := <-views:
			if p, worth := in.tell(v); worth {
				report(p)
			}
		case <-dev.replaced:
			return errTaken
		case <-in.gone:
			return fmt.Errorf("cannot go on with %s: %w", dev.key.connector, errEnded)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// onDevVersion starts anew and has whoever watches told from now on.
func (i *instance) onDevVersion(views chan<- *view) {
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

// endDevVersion puts things back as they were, unless newer files took over.
func (s *Supervisor) endDevVersion(dev *devVersion) {
	ctx := context.Background()
	unlock, err := s.edits.Lock(ctx, dev.key)
	if err != nil {
		return
	}
	defer unlock()
	if s.devVersion(dev.key) != dev {
		return
	}
	s.drop(ctx, dev.key)
	err = removeDevFiles(s.o.Paths, dev.key)
	s.mu.Lock()
	delete(s.devVersions, dev.key)
	s.mu.Unlock()
	act, getErr := s.activations.Get(ctx, dev.key.member, dev.key.connector)
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
		s.o.Log.Warn("cannot clear up after development", zap.String("member", dev.key.member), zap.String("connector", dev.key.connector), zap.Error(err))
	}
}

// forOneMember is a release as it is tried out: for one member, whatever it will be.
func forOneMember(r manifest.Release) (manifest.Release, error) {
	r.Scope = manifest.ScopeUser
	if err := r.Installable(); err != nil {
		return r, &manifest.Refusal{What: "run " + r.ID, Why: strings.TrimPrefix(err.Error(), "cannot install "+r.ID+": ")}
	}
	return r, runnable(r)
}
