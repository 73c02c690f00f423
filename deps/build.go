package deps

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"go.uber.org/zap"
)

const (
	partialSuffix = ".partial"
	lockSuffix    = ".lock"
)

// job is one build under way.
type job struct {
	*Builder
	plan     *plan
	start    time.Time
	phase    string // of the step that is running
	dir      string // <key>.partial, the connector's directory inside
	uid      int    // its own among the builds under way, where the daemon is root
	tell     func(Event)
	lines    []string // the last that the last step printed
	refused  []string // hosts that the last step was not let out to
	warnings []string
	outside  outside
}

// build makes the tree of this plan, within the limit that covers all of it. Whatever goes wrong, nothing of it is left
// but the download caches: no process, no partial tree, no lock.
func (b *Builder) build(ctx context.Context, pl *plan, tell func(Event)) (Tree, error) {
	uid, give, err := b.uids.take(ctx, b.o.UID, pl.pkg.ID)
	if err != nil {
		return Tree{}, err
	}
	defer give()
	limited, cancel := context.WithTimeout(ctx, b.o.Timeout)
	defer cancel()
	j := &job{Builder: b, plan: pl, start: time.Now(), tell: tell, dir: b.o.Paths.Tree(pl.key) + partialSuffix, uid: uid}
	tree, err := j.locked(limited)
	if err == nil {
		b.failures.forget(pl.key)
		return tree, nil
	}
	if ctx.Err() != nil {
		return Tree{}, ctx.Err() // nobody waits any more: this is not the package's failure
	}
	explained := j.explain(ctx, err)
	b.failures.add(pl.key, explained)
	return Tree{}, explained
}

// locked builds under the lock, unless another process did so while we waited for it.
func (j *job) locked(ctx context.Context) (Tree, error) {
	j.enter("wait")
	if err := os.MkdirAll(j.o.Paths.Deps(), 0o700); err != nil {
		return Tree{}, err
	}
	unlock, err := lock(ctx, j.o.Paths.Tree(j.plan.key)+lockSuffix)
	if err != nil {
		return Tree{}, err
	}
	defer unlock()
	if tree, ok := j.open(j.plan); ok {
		return tree, nil
	}
	if err := errors.Join(Remove(j.dir), Remove(j.o.Paths.Tree(j.plan.key))); err != nil {
		return Tree{}, err
	}
	defer Remove(j.dir)
	return j.make(ctx)
}

func (j *job) make(ctx context.Context) (Tree, error) {
	j.enter("prepare")
	if err := j.copySources(); err != nil {
		return Tree{}, err
	}
	if err := j.askOutside(ctx); err != nil {
		return Tree{}, err
	}
	if err := j.install(ctx); err != nil {
		return Tree{}, err
	}
	j.enter("check")
	if err := j.seal(ctx); err != nil {
		return Tree{}, err
	}
	tree, ok := j.open(j.plan)
	if !ok {
		return Tree{}, fmt.Errorf("the finished tree in %s cannot be read", j.o.Paths.Tree(j.plan.key))
	}
	j.o.Log.Info("dependencies installed", zap.String("connector", j.plan.pkg.ID), zap.String("key", j.plan.key),
		zap.Duration("took", time.Since(j.start)), zap.Strings("warnings", j.warnings))
	return tree, nil
}

// install fetches everything before the first foreign code runs: what that changes in the directory must not tell npm or pip,
// while they have credentials, what to fetch from where.
func (j *job) install(ctx context.Context) error {
	if j.plan.wantsNPM() {
		if err := j.npm(ctx); err != nil {
			return err
		}
	}
	if j.plan.wantsPip() {
		if err := j.pip(ctx); err != nil {
			return err
		}
	}
	if j.plan.wantsNPM() {
		return j.npmScripts(ctx)
	}
	return nil
}

// enter names what is being done now, for progress and for errors.
func (j *job) enter(phase string) {
	j.phase = phase
	j.tell(Event{Phase: phase})
}

func (j *job) warn(format string, args ...any) {
	if w := fmt.Sprintf(format, args...); !slices.Contains(j.warnings, w) {
		j.warnings = append(j.warnings, w)
	}
}
