package supervisor

import (
	"cmp"
	"context"
	"iter"
	"slices"
)

// What people ask of instances, as opposed to what agents call.

// Restart stops the instance and starts it anew, and waits for that.
func (s *Supervisor) Restart(ctx context.Context, member, connector string) error {
	unlock, err := s.edits.Lock(ctx, key{member, connector})
	if err != nil {
		return err
	}
	defer unlock()
	return s.want(ctx, member, connector, false, (*instance).restart)
}

// StopConnector stops the instance and waits for that. It stays so, whoever calls
// and however often the daemon starts, until a person starts it again. Agents do
// not see its tools meanwhile.
func (s *Supervisor) StopConnector(ctx context.Context, member, connector string) error {
	unlock, err := s.edits.Lock(ctx, key{member, connector})
	if err != nil {
		return err
	}
	defer unlock()
	return s.want(ctx, member, connector, true, (*instance).stopAsPerson)
}

// StartConnector starts an instance that does not run, and waits for that.
func (s *Supervisor) StartConnector(ctx context.Context, member, connector string) error {
	unlock, err := s.edits.Lock(ctx, key{member, connector})
	if err != nil {
		return err
	}
	defer unlock()
	return s.want(ctx, member, connector, false, (*instance).start)
}

// Renew has every instance that runs, or failed to, and which that concerns, start
// anew, and does not wait; nil concerns all.
func (s *Supervisor) Renew(why string, concerns func(Instance) bool) {
	for _, i := range s.all() {
		if concerns == nil || concerns(s.line(i)) {
			i.post(func() { i.onRenew(why) })
		}
	}
}

// want remembers what a person wants before it is done.
func (s *Supervisor) want(ctx context.Context, member, connector string, stopped bool, do func(*instance, context.Context) error) error {
	act, err := s.activated(ctx, member, connector)
	if err != nil {
		return err
	}
	i, err := s.known(ctx, member, connector)
	if err != nil {
		return err
	}
	if err := s.activations.SetStopped(ctx, act.Number, stopped); err != nil {
		return err
	}
	defer s.index(member)
	return do(i, ctx)
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
		all = append(all, s.line(i))
	}
	slices.SortFunc(all, func(a, b Instance) int {
		return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.Connector, b.Connector))
	})
	return all
}

// known returns the instance of a remembered activation, or of what is developed. There is none only for
// the moments in which the activation comes or goes, and none is made then.
func (s *Supervisor) known(ctx context.Context, member, connector string) (*instance, error) {
	k := key{member, connector}
	if s.devVersion(k) == nil {
		if _, err := s.activated(ctx, member, connector); err != nil {
			return nil, err
		}
	}
	if i := s.existing(k); i != nil {
		return i, nil
	}
	return nil, &Unavailable{Connector: connector, State: Idle, Why: errEnded.Error(), Err: errEnded}
}
