package supervisor

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/install"
	"majordomo/install/turns"
	"majordomo/supervisor/activations"
	"majordomo/supervisor/ids"
	"majordomo/supervisor/members"
	"majordomo/supervisor/vault"
)

// Options of New.
type Options struct {
	Paths configs.Paths
	DB    *sql.DB // open; see package store

	Packages Packages
	Trials   Trials
	Trees    Trees
	Launcher Launcher
	Meter    Meter // nil = nothing is counted

	UIDBase int // first uid of activations when the daemon is root; 0 = a free range
	Limits  Limits
	Log     *zap.Logger // nil = silent
}

// Supervisor is safe for concurrent use.
type Supervisor struct {
	o           Options
	members     *members.Members
	activations *activations.Activations
	vault       *vault.Vault
	ids         *ids.IDs

	// One change of an activation happens at a time, and under the key of a
	// connector without member one removal or activation of it is written down.
	edits   turns.Turns[key]
	updates turns.Turns[key] // by connector
	starts  slots
	budget  budget
	bus     bus
	notices notices
	limits  atomic.Pointer[Limits]
	work    sync.WaitGroup // instances and their workers

	mu          sync.RWMutex // protects the fields below
	stopping    bool
	instances   map[key]*instance
	devVersions map[key]*devVersion      // connectors under development
	catalogues  map[string]*catalogue    // by member
	changes     map[string]chan struct{} // by member; closed when the catalogue changes
}

// ErrStopping is the answer of a Supervisor that is stopping.
var ErrStopping = errors.New("cannot do this: the daemon is stopping")

// New reads what is remembered. It starts nothing.
func New(ctx context.Context, o Options) (*Supervisor, error) {
	o.Log = cmp.Or(o.Log, zap.NewNop())
	if o.Meter == nil {
		o.Meter = unmetered{}
	}
	s := &Supervisor{
		o:         o,
		instances: map[key]*instance{}, devVersions: map[key]*devVersion{}, catalogues: map[string]*catalogue{}, changes: map[string]chan struct{}{},
	}
	s.SetLimits(o.Limits)
	if err := s.openOrgans(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// openOrgans migrates in this order: activations refer to members.
func (s *Supervisor) openOrgans(ctx context.Context) (err error) {
	if s.members, err = members.New(ctx, s.o.DB); err != nil {
		return err
	}
	if s.activations, err = activations.New(ctx, s.o.DB); err != nil {
		return err
	}
	if s.vault, err = vault.New(ctx, s.o.DB, s.o.Paths.VaultKey()); err != nil {
		return err
	}
	base := s.o.UIDBase
	if base == 0 && os.Geteuid() == 0 {
		if base, err = ids.PickBase(); err != nil {
			return err
		}
	}
	s.ids, err = ids.New(ctx, s.o.DB, base)
	return err
}

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

// Stop ends every instance; nothing of them lives when it returns. When ctx
// ends, the rest of the grace is skipped. Calls that come later fail.
func (s *Supervisor) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	all := s.all()
	var ending sync.WaitGroup
	errs := make([]error, len(all))
	for n, i := range all {
		ending.Go(func() {
			i.halt(ctx)
			errs[n] = i.log.close()
		})
	}
	ending.Wait()
	s.work.Wait()
	return errors.Join(errs...)
}

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
