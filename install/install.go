// Package install is how a connector gets in: plan, download to staging, verify,
// check, swap. It is the only code that changes what is installed.
//
// At every instant connectors/<id>/ is the old package or the new one, whole;
// where the filesystem cannot exchange two names, Recover makes it so. The
// package it replaced is kept in connectors/.previous/<id>/, whole too, for
// Rollback. An update stops nobody: what runs from the old files keeps them until
// it is started again.
//
// It must never run anything of a package, never touch a member's data and never
// put a file in place whose bytes have not the declared digest. An Installer owns
// the goroutines of an Install only while that call runs.
package install

import (
	"context"
	"database/sql"
	"sync"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/install/catalog"
	"majordomo/install/feed"
	"majordomo/install/turns"
)

// Options of New. Log may be nil.
type Options struct {
	Paths configs.Paths
	Feed  *feed.Feed
	DB    *sql.DB // the caller's, open; see configs/database
	Log   *zap.Logger
}

// Installer installs, removes and lists packages of one state directory. It is
// safe for concurrent use: calls for one id queue, different ids run in
// parallel. One process may own a state directory at a time; the store's lock
// sees to that.
type Installer struct {
	paths   configs.Paths
	feed    *feed.Feed
	catalog *catalog.Catalog
	log     *zap.Logger
	queue   turns.Turns[string] // by id

	exchange func(a, b string) error // swaps two directories at once; errNoExchange where that cannot be
	room     int64                   // manifest.MaxPackage, but for tests
	reached  func(step string)       // called at every step of a change, for crash tests

	mu    sync.Mutex      // protects the field below; held for one projection at a time
	stale map[string]bool // ids whose row may not agree with the receipt
}

// Request asks for one install.
type Request struct {
	ID             string
	Update         bool // only what is installed, and only forward
	AllowDowngrade bool // whatever the versions are

	AcceptWider bool              // whatever it reaches for beyond what is installed
	Accepted    []manifest.Change // or just these, which somebody was shown

	Trial []string // members for whom it runs now: it is on trial until it is Proven that it still does

	Progress func(Event) // called from several goroutines, never two at once; the install waits for it; may be nil
}

func (r Request) verb() string {
	if r.Update {
		return "update"
	}
	return "install"
}

// New migrates the tables of this room; it reads nothing else. Call Recover
// before anything answers.
func New(ctx context.Context, o Options) (*Installer, error) {
	rows, err := catalog.Open(ctx, o.DB)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	return &Installer{
		paths: o.Paths, feed: o.Feed, catalog: rows, log: o.Log,
		exchange: exchange,
		room:     manifest.MaxPackage,
		reached:  func(string) {},
		stale:    map[string]bool{},
	}, nil
}

// Install fetches the release the feed offers now and puts it in place of what
// is installed, as Plan says; what the plan says is refused is a
// manifest.Refusal. On any error the package that was there is untouched.
func (i *Installer) Install(ctx context.Context, r Request) (Package, error) {
	unlock, err := i.queue.Lock(ctx, r.ID)
	if err != nil {
		return Package{}, err
	}
	defer unlock()
	p := newProgress(r)
	p.enter(PhasePlan)
	plan, _, err := i.plan(ctx, r)
	if err == nil {
		err = plan.refusal
	}
	if err != nil {
		return Package{}, err
	}
	i.reached("planned")
	pkg, err := i.replace(ctx, r, plan.offer, p)
	if err != nil {
		return Package{}, i.explain(r.ID, err)
	}
	p.enter(PhaseDone)
	i.log.Info("installed", zap.String("connector", r.ID), zap.Int("version", pkg.Release.Version))
	return pkg, nil
}

// replace stages the offer and swaps it in.
func (i *Installer) replace(ctx context.Context, r Request, offer feed.Offer, p *progress) (Package, error) {
	id := offer.Release.ID
	if err := i.settle(id); err != nil {
		return Package{}, err
	}
	defer i.tidy(id)
	rec, err := i.stage(ctx, offer, p)
	if err != nil {
		return Package{}, err
	}
	if err := i.beginTrial(ctx, r.verb(), r.Trial, rec); err != nil {
		return Package{}, err
	}
	p.enter(PhaseSwap)
	err = i.swap(id) // the commit point
	i.project(ctx, id)
	return rec.pack(i.paths), err
}
