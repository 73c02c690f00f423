package feed

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// Listing is everything a feed offers, in the order of its index.
type Listing struct {
	Base      string             `json:"base"`
	FetchedAt time.Time          `json:"fetched_at"`
	Signed    bool               `json:"signed"`
	Expires   time.Time          `json:"expires,omitzero"` // see manifest.Index
	Releases  []manifest.Release `json:"releases"`
	Problems  []manifest.Problem `json:"problems,omitempty"` // of the index itself

	Age   time.Duration `json:"age"`             // set by Browse
	Stale string        `json:"stale,omitempty"` // why Browse has no newer one; "" when it has
}

// List fetches the index and every manifest. It fails only when the index
// cannot be had (fetch.UnreachableError, or a manifest.Refusal when what came
// is no index) or not be trusted (SignatureError, OlderError, ExpiredError); a
// manifest that cannot be had is a Problem of its release.
func (f *Feed) List(ctx context.Context) (Listing, error) {
	begun := time.Now().UTC()
	idx, err := f.index(ctx)
	if err != nil {
		return Listing{}, err
	}
	l := Listing{
		Base:      f.Base(),
		FetchedAt: begun,
		Signed:    f.Signed(),
		Expires:   idx.Expires,
		Releases:  make([]manifest.Release, len(idx.Entries)),
		Problems:  idx.Problems,
	}
	var left atomic.Int64 // of the bytes that are kept
	left.Store(f.room)
	var group errgroup.Group
	group.SetLimit(concurrency)
	for i, entry := range idx.Entries {
		group.Go(func() error {
			l.Releases[i] = f.card(ctx, entry, &left)
			return nil
		})
	}
	group.Wait()
	return l, ctx.Err()
}

// errUnnamed stands for a manifest that was not asked for: with such an id or
// folder, asking would mean to follow a path of the publisher's choice.
var errUnnamed = errors.New("it was not fetched, because the entry's id or folder is not a name")

// errTooMuch stands for a manifest that there is no room for.
var errTooMuch = fmt.Errorf("it is not shown, because the manifests of this feed are larger than %s together", humanize.Bytes(maxManifests))

// card never fails: what is wrong is on the card.
func (f *Feed) card(ctx context.Context, entry manifest.Entry, left *atomic.Int64) manifest.Release {
	if !entry.Named() {
		return entry.Degraded(errUnnamed)
	}
	text, err := f.manifest(ctx, entry)
	if err == nil && left.Add(-int64(len(text))) < 0 {
		err = errTooMuch
	}
	if err != nil {
		f.log.Warn("a manifest cannot be read", zap.String("connector", entry.ID), zap.Error(err))
		return entry.Degraded(err)
	}
	return f.merge(entry, text)
}

// merge holds a signed feed to its signature: it covers the index, and through
// the digests in there everything else, but nothing that is not listed.
func (f *Feed) merge(entry manifest.Entry, text []byte) manifest.Release {
	if f.Signed() && !entry.ListsManifest() {
		return entry.Degraded(errUncovered)
	}
	return entry.Release(text)
}
