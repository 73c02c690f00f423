package supervisor

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"
	"sync/atomic"

	"go.uber.org/zap"

	"majordomo/configs"
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
