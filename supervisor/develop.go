package supervisor

import (
	"context"
	"errors"
	"sync"
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
	plan, err := s.plan(ctx, ingredients{dev.act, dev.pkg, dev.filled, needs}, d.Report)
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
