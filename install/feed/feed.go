// Package feed turns a feed's documents into releases: the index, one manifest
// per entry, merged, in the index's order. One bad entry is one bad card.
//
// It must never write to disk and never believe a manifest whose digest the
// index contradicts. It starts goroutines only inside List, a bounded number,
// and waits for them before it returns.
package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"go.uber.org/zap"

	"majordomo/configs/manifest"
	"majordomo/install/fetch"
)

// Options of New. Only Base is needed.
type Options struct {
	Base   string // directory or URL, see fetch.Open; "" gives a Feed that refuses every request
	CAFile string // PEM certificates trusted in addition to the system's
	Agent  string // User-Agent
	Log    *zap.Logger
}

// Feed reads one feed. It keeps nothing between calls and is safe for
// concurrent use.
type Feed struct {
	source *fetch.Source
	absent error // why there is no source
	log    *zap.Logger
}

// Listing is everything a feed offers, in the order of its index.
type Listing struct {
	Base      string             `json:"base"`
	FetchedAt time.Time          `json:"fetched_at"`
	Releases  []manifest.Release `json:"releases"`
	Problems  []manifest.Problem `json:"problems,omitempty"` // of the index itself
}

// Offer is one release together with the manifest bytes it was made from.
type Offer struct {
	Release  manifest.Release
	Manifest []byte // connector.json; nil when it could not be read or is contradicted by its digest
}

// NotOfferedError says that the feed has no such connector.
type NotOfferedError struct{ ID, Base string }

func (e *NotOfferedError) Error() string {
	return fmt.Sprintf("cannot find connector %q: the feed %s does not offer it; see `majordomo feed list`", e.ID, e.Base)
}

// New checks the options; it does not touch the network.
func New(o Options) (*Feed, error) {
	return nil, errors.New("not written yet")
}

// Base is the feed's location, fit to be shown.
func (f *Feed) Base() string { return f.source.String() }

// List fetches the index and every manifest. It fails only when the index
// cannot be had (fetch.UnreachableError, or a manifest.Refusal when what came
// is no index); a manifest that cannot be had is a Problem of its release.
func (f *Feed) List(ctx context.Context) (Listing, error) {
	return Listing{}, errors.New("not written yet")
}

// Release fetches index and manifest again and returns one release, or a
// NotOfferedError. The release may carry Problems; see Release.Installable.
func (f *Feed) Release(ctx context.Context, id string) (manifest.Release, error) {
	offer, err := f.Offer(ctx, id)
	return offer.Release, err
}

// Offer is Release with the manifest bytes.
func (f *Feed) Offer(ctx context.Context, id string) (Offer, error) {
	return Offer{}, errors.New("not written yet")
}

// Download streams one file of r to w. On success the bytes written have the
// listed digest; on failure w may have received some bytes. progress, if not
// nil, is called with the count of each chunk.
func (f *Feed) Download(ctx context.Context, r manifest.Release, file manifest.File, w io.Writer, progress func(n int)) error {
	return errors.New("not written yet")
}
