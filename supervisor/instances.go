package supervisor

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"
)

// What people ask of instances, as opposed to what agents call.

// Restart stops the instance and starts it anew, and waits for that.
func (s *Supervisor) Restart(ctx context.Context, member, connector string) error {
	unlock, err := s.edits.lock(ctx, key{member, connector})
	if err != nil {
		return err
	}
	defer unlock()
	i, err := s.known(ctx, member, connector)
	if err != nil {
		return err
	}
	return i.restart(ctx)
}

// Logs yields the kept lines of a connector's standard error, and with follow
// each new one until ctx ends.
func (s *Supervisor) Logs(ctx context.Context, member, connector string, follow bool) (iter.Seq[LogLine], error) {
	i, err := s.known(ctx, member, connector)
	if err != nil {
		return nil, err
	}
	return i.log.lines(ctx, follow), nil
}

// Status lists every instance, by member and connector.
func (s *Supervisor) Status() []Instance {
	var all []Instance
	for _, i := range s.all() {
		v := i.view.Load()
		line := Instance{
			Member: i.key.member, Connector: i.key.connector, State: v.state, Generation: v.generation,
			Restarts: v.restarts, Tools: len(*i.tools.Load()), Cause: v.cause, RetryAt: v.retryAt,
		}
		if v.live != nil {
			line.PID, line.Sandbox, line.Uptime = v.live.PID, v.live.Sandbox, time.Since(v.live.since)
			if v.live.Contacts != nil {
				line.Contacts = v.live.Contacts()
			}
		}
		all = append(all, line)
	}
	slices.SortFunc(all, func(a, b Instance) int {
		return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.Connector, b.Connector))
	})
	return all
}

// known returns the instance of a remembered activation. There is none only for
// the moments in which the activation comes or goes, and none is made then.
func (s *Supervisor) known(ctx context.Context, member, connector string) (*instance, error) {
	if _, err := s.activated(ctx, member, connector); err != nil {
		return nil, err
	}
	if i := s.existing(key{member, connector}); i != nil {
		return i, nil
	}
	return nil, &Unavailable{Connector: connector, State: Idle, Why: errEnded.Error(), Err: errEnded}
}
