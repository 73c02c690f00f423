// Package install is how a connector gets in: plan, download to staging, verify,
// check, swap. It is the only code that changes what is installed.
//
// At every instant connectors/<id>/ is the old package or the new one, whole.
// It must never run anything of a package, never touch a member's data and never
// believe a byte whose digest the index does not list. An Installer owns the
// goroutines of an Install only while that call runs.
package install

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/catalog"
	"majordomo/install/feed"
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
	queue   queue

	exchange func(a, b string) error // swaps two directories at once; errNoExchange where that cannot be
	reached  func(step string)       // called at every step of a change, for crash tests

	mu    sync.Mutex      // protects the field below; held for one projection at a time
	stale map[string]bool // ids whose row may not agree with the receipt
}

// Package is a release on this disk, verified.
type Package struct {
	Release     manifest.Release
	Dir         string // <state>/connectors/<id>
	InstalledAt time.Time
	Digest      digest.SHA256 // over path and digest of every file: equal means the same bytes
}

// NotInstalledError says that there is no such package here.
type NotInstalledError struct{ ID string }

func (e *NotInstalledError) Error() string {
	return fmt.Sprintf("cannot find connector %q: it is not installed; `majordomo install %s` does that", e.ID, e.ID)
}

// Request asks for one install.
type Request struct {
	ID             string
	AllowDowngrade bool
	Progress       func(Event) // called from several goroutines, never two at once; may be nil; must not block
}

// Phases of an install, in order.
const (
	PhasePlan     = "plan"
	PhaseDownload = "download"
	PhaseSwap     = "swap"
	PhaseDone     = "done"
)

// Event is one step of an install's progress.
type Event struct {
	ID         string `json:"id"`
	Phase      string `json:"phase"`
	File       string `json:"file,omitempty"` // the file that was just finished
	Files      int    `json:"files"`          // finished so far
	FilesTotal int    `json:"files_total"`
	Bytes      int64  `json:"bytes"` // received so far
	BytesTotal int64  `json:"bytes_total"`
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
		reached:  func(string) {},
		stale:    map[string]bool{},
	}, nil
}

// Install fetches the release the feed offers now and puts it in place of what
// is installed. A lower version, or other bytes under the same version, is a
// manifest.Refusal; on any error the package that was there is untouched.
func (i *Installer) Install(ctx context.Context, r Request) (Package, error) {
	unlock, err := i.queue.lock(ctx, r.ID)
	if err != nil {
		return Package{}, err
	}
	defer unlock()
	p := newProgress(r)
	p.update(func(e *Event) { e.Phase = PhasePlan })
	offer, err := i.plan(ctx, r)
	if err != nil {
		return Package{}, err
	}
	pkg, err := i.replace(ctx, offer, p)
	if err != nil {
		return Package{}, i.explain(r.ID, err)
	}
	p.update(func(e *Event) { e.Phase = PhaseDone })
	i.log.Info("installed", zap.String("connector", r.ID), zap.Int("version", pkg.Release.Version))
	return pkg, nil
}

// replace stages the offer and swaps it in: the old package goes with the
// staging directory.
func (i *Installer) replace(ctx context.Context, offer feed.Offer, p *progress) (Package, error) {
	id := offer.Release.ID
	if err := i.settle(id); err != nil {
		return Package{}, err
	}
	defer i.settle(id)
	rec, err := i.stage(ctx, offer, p)
	if err != nil {
		return Package{}, err
	}
	p.update(func(e *Event) { e.Phase = PhaseSwap })
	if err := i.swap(id); err != nil { // the commit point
		return Package{}, err
	}
	i.project(ctx, id)
	return rec.pack(i.paths), nil
}

// Remove takes the package away. What members keep is not touched.
func (i *Installer) Remove(ctx context.Context, id string) error {
	unlock, err := i.queue.lock(ctx, id)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := i.Package(ctx, id); err != nil {
		return err
	}
	if err := i.settle(id); err != nil {
		return fmt.Errorf("cannot remove %s: %w", id, err)
	}
	defer i.settle(id)
	if err := i.takeAway(id); err != nil { // the commit point
		return fmt.Errorf("cannot remove %s: %w", id, err)
	}
	i.project(ctx, id)
	i.log.Info("removed", zap.String("connector", id))
	return nil
}

// List returns the installed packages by id. It needs no feed.
func (i *Installer) List(ctx context.Context) ([]Package, error) {
	i.catchUp(ctx)
	rows, err := i.catalog.All(ctx)
	if err != nil {
		return nil, err
	}
	var packages []Package
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		rec, err := parseReceipt(id, rows[id])
		if err != nil {
			return nil, err
		}
		packages = append(packages, rec.pack(i.paths))
	}
	return packages, nil
}

// Package returns one installed package or a NotInstalledError.
func (i *Installer) Package(ctx context.Context, id string) (Package, error) {
	i.catchUp(ctx)
	row, err := i.catalog.Get(ctx, id)
	if err != nil {
		return Package{}, err
	}
	if row == nil {
		return Package{}, &NotInstalledError{ID: id}
	}
	rec, err := parseReceipt(id, row)
	if err != nil {
		return Package{}, err
	}
	return rec.pack(i.paths), nil
}
