package supervisor

import (
	"context"
	"fmt"

	"go.uber.org/zap"

	"majordomo/install"
)

// judge ends a trial: the package stays, or the one before it comes back. A
// daemon that is stopping has seen no proof; the next one goes on from there.
func (s *Supervisor) judge(ctx context.Context, c Change, t install.Trial, ready []*instance, causes error) error {
	switch {
	case causes != nil:
		return &UpdateError{
			Connector: t.ID, Verb: t.Verb, From: t.From, To: t.To, Causes: causes,
			Back: s.undo(ctx, c, ready, t.From),
		}
	case len(ready) > 0 && s.isStopping():
		return fmt.Errorf("cannot say yet whether version %d of %s starts: the daemon is stopping; it finds out at its next start", t.To, t.ID)
	}
	return s.o.Trials.Proven(ctx, t.ID)
}

// resume finishes the update that an earlier daemon did not live to finish.
func (s *Supervisor) resume(t install.Trial) {
	ctx := context.Background()
	unlock, err := s.updates.Lock(ctx, key{connector: t.ID})
	if err != nil {
		return
	}
	defer unlock()
	var ready []*instance
	for _, member := range t.Members {
		if i := s.existing(key{member, t.ID}); i != nil && !i.stopped.Load() {
			ready = append(ready, i)
		}
	}
	c := Change{Connector: t.ID, Verb: t.Verb, Progress: func(Progress) {}}
	err = s.judge(ctx, c, t, ready, s.renew(ctx, c, ready))
	if err == nil {
		s.o.Log.Info("an update that was interrupted is finished", zap.String("connector", t.ID), zap.Int("version", t.To))
		return
	}
	s.o.Log.Error("an update that was interrupted", zap.String("connector", t.ID), zap.Error(err))
	for _, i := range ready {
		i.post(func() { i.log.note("[majordomo] " + i.log.redact(err.Error())) })
	}
}

func membersOf(instances []*instance) []string {
	var names []string
	for _, i := range instances {
		names = append(names, i.key.member)
	}
	return names
}

// undo puts the package back and says how that went.
func (s *Supervisor) undo(ctx context.Context, c Change, ready []*instance, version int) string {
	c.Progress(Progress{Phase: "undo", Message: fmt.Sprintf("it did not start; putting version %d back", version)})
	if _, err := s.o.Trials.Rollback(ctx, c.Connector, nil); err != nil {
		return fmt.Sprintf("version %d could not be put back (%v)", version, err)
	}
	if err := s.renew(ctx, c, ready); err != nil {
		return fmt.Sprintf("version %d is back, and does not start %v either", version, err)
	}
	return fmt.Sprintf("version %d is back and runs", version)
}
