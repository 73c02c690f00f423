package supervisor

import (
	"context"
	"errors"

	"go.uber.org/zap"

	"majordomo/supervisor/activations"
)

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
