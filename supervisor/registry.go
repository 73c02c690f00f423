package supervisor

import (
	"context"
	"maps"
	"slices"

	"go.uber.org/zap"
)

// instance returns the instance of k and makes it, idle, where there is none.
func (s *Supervisor) instance(k key) (*instance, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return nil, ErrStopping
	}
	i, ok := s.instances[k]
	if !ok {
		i = newInstance(s, k)
		s.instances[k] = i
		s.work.Go(i.run)
	}
	return i, nil
}

func (s *Supervisor) isStopping() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.stopping
}

// existing returns the instance of k, or nil.
func (s *Supervisor) existing(k key) *instance {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.instances[k]
}

// all returns every instance. Mail goes to them without holding s.mu, because
// their goroutines take it.
func (s *Supervisor) all() []*instance {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Values(s.instances))
}

// drop ends an instance and takes its tools off the list.
func (s *Supervisor) drop(ctx context.Context, k key) {
	i := s.existing(k)
	if i == nil {
		return
	}
	i.halt(ctx)
	if err := i.log.close(); err != nil {
		s.o.Log.Warn("cannot close a log", zap.String("connector", k.connector), zap.Error(err))
	}
	s.mu.Lock()
	delete(s.instances, k)
	s.notices.forget(k)
	s.mu.Unlock()
	s.index(k.member)
}
