package supervisor

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"go.uber.org/zap"

	"majordomo/install"
	"majordomo/supervisor/activations"
)

// Start brings back the instance of every activation that nobody stopped, a
// bounded number at a time, and does not wait for them.
// What an earlier daemon left running must be gone by now (sandbox.Host.Sweep).
// An update that it left unfinished is finished. ctx bounds the call only.
func (s *Supervisor) Start(ctx context.Context) error {
	if err := s.removeAllDevFiles(); err != nil {
		return err
	}
	all, err := s.activations.List(ctx)
	if err != nil {
		return err
	}
	trials, err := s.o.Trials.Trials(ctx)
	if err != nil {
		return err
	}
	for _, act := range all {
		i, err := s.restore(act)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(trials, func(t install.Trial) bool { return t.ID == act.Connector }) && !act.Stopped {
			i.nudge(spread(len(all)))
		}
	}
	for _, t := range trials {
		s.work.Go(func() { s.resume(t) })
	}
	return nil
}

// apart is how far the starts of many connectors lie apart on average, so that
// what they all turn to first is not asked by all at once.
const apart = 10 * time.Millisecond

func spread(n int) time.Duration { return time.Duration(rand.Int64N(int64(n)) * int64(apart)) }

// restore makes the instance of an activation, with the tools it listed last.
func (s *Supervisor) restore(act activations.Activation) (*instance, error) {
	i, err := s.instance(key{act.Member, act.Connector})
	if err != nil {
		return nil, err
	}
	tools, err := decodeList(act.Tools)
	if err != nil {
		s.o.Log.Warn("forgetting a tool list", zap.String("connector", act.Connector), zap.Error(err))
	}
	i.number.Store(act.Number)
	i.stopped.Store(act.Stopped)
	i.tools.Store(&tools)
	s.index(act.Member)
	return i, nil
}
