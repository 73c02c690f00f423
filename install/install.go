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
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/configs/digest"
	"majordomo/configs/manifest"
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
	paths configs.Paths
	feed  *feed.Feed
	log   *zap.Logger
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
	return nil, errors.New("not written yet")
}

// Recover ends what an earlier process left half done: it settles interrupted
// swaps, clears staging and makes the database agree with the receipts.
func (i *Installer) Recover(ctx context.Context) error { return errors.New("not written yet") }

// Install fetches the release the feed offers now and puts it in place of what
// is installed. A lower version, or other bytes under the same version, is a
// manifest.Refusal; on any error the package that was there is untouched.
func (i *Installer) Install(ctx context.Context, r Request) (Package, error) {
	return Package{}, errors.New("not written yet")
}

// Remove takes the package away. What members keep is not touched.
func (i *Installer) Remove(ctx context.Context, id string) error {
	return errors.New("not written yet")
}

// List returns the installed packages by id. It needs no feed.
func (i *Installer) List(ctx context.Context) ([]Package, error) {
	return nil, errors.New("not written yet")
}

// Package returns one installed package or a NotInstalledError.
func (i *Installer) Package(ctx context.Context, id string) (Package, error) {
	return Package{}, errors.New("not written yet")
}
