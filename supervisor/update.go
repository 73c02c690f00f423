package supervisor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"majordomo/deps"
	"majordomo/install"
)

// Change is another package of a connector in the place of the installed one.
type Change struct {
	Connector string
	Verb      string // install, update, roll back: for people
	// Do puts it in place, on trial for these members (see install.Request).
	Do       func(ctx context.Context, trial []string) error
	Progress func(Progress) // may be nil
}

// UpdateError says that a package was put in place, did not start where the one
// before it ran, and was taken back.
type UpdateError struct {
	Connector, Verb string
	From, To        int    // versions
	Back            string // how From does now
	Causes          error
}

func (e *UpdateError) Error() string {
	return fmt.Sprintf("cannot %s %s: %s, because version %d did not start %v", e.Verb, e.Connector, e.Back, e.To, e.Causes)
}

// Unwrap returns why it did not start.
func (e *UpdateError) Unwrap() error { return e.Causes }

// Update makes the change and restarts every instance of the connector. When one
// that was ready before is not ready again by its first start, within the limits
// of a start, the change is undone and they are started as they were: that is an
// *UpdateError. An instance that waits for a value which the new form demands is
// no such case, for it could never be given to the old one. Once the change is
// made it is followed up to the end, whoever still waits; a daemon that ends
// before leaves that to the next one.
func (s *Supervisor) Update(ctx context.Context, c Change) error {
	if c.Progress == nil {
		c.Progress = func(Progress) {}
	}
	unlock, err := s.updates.Lock(ctx, key{connector: c.Connector})
	if err != nil {
		return err
	}
	defer unlock()
	before, beforeErr := s.o.Packages.Package(ctx, c.Connector)
	ready := s.serving(c.Connector)
	if err := c.Do(ctx, membersOf(ready)); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	after, err := s.o.Packages.Package(ctx, c.Connector)
	if err != nil {
		return err
	}
	causes := s.renew(ctx, c, ready)
	if causes != nil && beforeErr == nil && before.Digest == after.Digest {
		return &UpdateError{
			Connector: c.Connector, Verb: c.Verb, From: before.Release.Version, To: after.Release.Version, Causes: causes,
			Back: "its files are what they were before",
		}
	}
	t := install.Trial{ID: c.Connector, Verb: c.Verb, From: before.Release.Version, To: after.Release.Version}
	return s.judge(ctx, c, t, ready, causes)
}

// renew restarts every instance of the connector and waits for those in ready.
// It says which of them did not come up, or nil.
func (s *Supervisor) renew(ctx context.Context, c Change, ready []*instance) error {
	errs := make([]error, len(ready))
	if len(ready) > 0 {
		if err := s.build(ctx, c); err != nil {
			for n, i := range ready {
				errs[n] = fmt.Errorf("for %s: %w", i.key.member, err)
			}
			return errors.Join(errs...)
		}
	}
	s.reload(c.Connector, ready)
	var starts sync.WaitGroup
	for n, i := range ready {
		c.Progress(Progress{Phase: "start", Message: "starting it for " + i.key.member})
		starts.Go(func() {
			var asked *Invalid
			err := i.restart(ctx)
			if err != nil && !errors.Is(err, errEnded) && !errors.As(err, &asked) {
				errs[n] = fmt.Errorf("for %s: %w", i.key.member, err)
			}
		})
	}
	starts.Wait()
	return errors.Join(errs...)
}

// build makes the dependencies while what was there before still runs, so that it
// stands still no longer than it must, and not at all where they cannot be had.
func (s *Supervisor) build(ctx context.Context, c Change) error {
	pkg, err := s.installed(ctx, c.Connector)
	if err != nil {
		return err
	}
	_, err = s.o.Trees.Ensure(ctx, treeOf(pkg), func(e deps.Event) { c.Progress(depsProgress(e)) })
	return err
}

// serving lists the instances of an installed connector that can be called now.
func (s *Supervisor) serving(connector string) []*instance {
	var ready []*instance
	for _, i := range s.all() {
		if i.key.connector == connector && i.live.Load() != nil && s.devVersion(i.key) == nil {
			ready = append(ready, i)
		}
	}
	return ready
}

// reload has the other instances of the connector start anew, where anything of
// them runs or failed to. It does not wait for them.
func (s *Supervisor) reload(connector string, but []*instance) {
	for _, i := range s.all() {
		if i.key.connector == connector && !slices.Contains(but, i) && s.devVersion(i.key) == nil {
			i.post(i.onReload)
		}
	}
}
