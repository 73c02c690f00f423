// Package feed turns a feed's documents into releases: the index, one manifest
// per entry, merged, in the index's order. One bad entry is one bad card.
//
// With a key it believes nothing that the publisher did not sign, no index older
// than one it has seen, and none that has expired.
//
// It must never write to disk and never believe a manifest whose digest the
// index contradicts. List starts goroutines, a bounded number, and waits for
// them before it returns; a fetch that Browse began ends by itself, or with
// Close.
package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jedisct1/go-minisign"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"majordomo/configs/manifest"
	"majordomo/install/fetch"
)

const (
	indexName   = "connectors.json"
	concurrency = 8 // manifests in flight

	maxManifests = 32 << 20 // bytes of all manifests of one listing
)

// Options of New. Only Base is needed.
type Options struct {
	Base   string // directory or URL, see fetch.Open; "" gives a Feed that refuses every request
	CAFile string // PEM certificates trusted in addition to the system's
	Agent  string // User-Agent
	Log    *zap.Logger

	Key       *minisign.PublicKey // signs the index; nil: the feed is unsigned
	Sequences Sequences           // needed with Key
}

// Feed reads one feed. Between calls it keeps one listing, in memory, for
// Browse. It is safe for concurrent use.
type Feed struct {
	source *fetch.Source
	absent error // why there is no source
	log    *zap.Logger

	key       *minisign.PublicKey // nil: unsigned
	sequences Sequences

	window window
	room   int64 // maxManifests, but for tests
}

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

// Offer is one release together with the manifest bytes it was made from.
type Offer struct {
	Release  manifest.Release
	Manifest []byte // connector.json as it came; nil when it was not asked for
}

// NotOfferedError says that the feed has no such connector.
type NotOfferedError struct{ ID, Base string }

func (e *NotOfferedError) Error() string {
	return fmt.Sprintf("cannot find connector %q: the feed %s does not offer it; see `majordomo feed list`", e.ID, e.Base)
}

// New checks the options; it does not touch the network.
func New(o Options) (*Feed, error) {
	f := &Feed{log: o.Log, key: o.Key, sequences: o.Sequences, room: maxManifests}
	if f.key != nil && f.sequences == nil {
		return nil, errors.New("cannot check signatures without a memory of what was accepted")
	}
	if f.log == nil {
		f.log = zap.NewNop()
	}
	f.window.life, f.window.close = context.WithCancel(context.Background())
	source, err := fetch.Open(o.Base, fetch.Options{CAFile: o.CAFile, Agent: o.Agent})
	if o.Base == "" {
		f.absent = err // installed packages need no feed
		return f, nil
	}
	f.source = source
	return f, err
}

// Base is the feed's location, fit to be shown; "" when there is none.
func (f *Feed) Base() string {
	if f.source == nil {
		return ""
	}
	return f.source.String()
}

// Signed reports whether there is a key: then whatever the feed offers was
// signed with it.
func (f *Feed) Signed() bool { return f.key != nil }

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

// Release fetches index and manifest again and returns one release, or a
// NotOfferedError. The release may carry Problems; see Release.Installable.
func (f *Feed) Release(ctx context.Context, id string) (manifest.Release, error) {
	entry, err := f.entry(ctx, id)
	if err != nil {
		return manifest.Release{}, err
	}
	var left atomic.Int64
	left.Store(manifest.MaxManifest)
	return f.card(ctx, entry, &left), ctx.Err()
}

// Offer is Release for somebody who means to install it: with the manifest's
// bytes, and an error when they cannot be had. The next Browse is a new listing.
func (f *Feed) Offer(ctx context.Context, id string) (Offer, error) {
	f.outdate()
	entry, err := f.entry(ctx, id)
	if err != nil {
		return Offer{}, err
	}
	if !entry.Named() {
		return Offer{Release: entry.Degraded(errUnnamed)}, nil
	}
	text, err := f.manifest(ctx, entry)
	if err != nil {
		return Offer{}, err
	}
	return Offer{Release: f.merge(entry, text), Manifest: text}, nil
}

// Download streams one file of r to w. On success the bytes written have the
// listed digest; on failure w may have received some bytes. For the errors see
// fetch.Source.File.
func (f *Feed) Download(ctx context.Context, r manifest.Release, file manifest.File, w io.Writer) error {
	if f.source == nil {
		return f.absent
	}
	return f.source.File(ctx, r.Folder+"/"+file.Path, file.SHA256, w)
}

// errUnnamed stands for a manifest that was not asked for: with such an id or
// folder, asking would mean to follow a path of the publisher's choice.
var errUnnamed = errors.New("it was not fetched, because the entry's id or folder is not a name")

// errTooMuch stands for a manifest that there is no room for.
var errTooMuch = fmt.Errorf("it is not shown, because the manifests of this feed are larger than %d MiB together", maxManifests>>20)

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

func (f *Feed) manifest(ctx context.Context, entry manifest.Entry) ([]byte, error) {
	return f.source.Document(ctx, entry.Folder+"/"+manifest.Name, manifest.MaxManifest)
}

func (f *Feed) entry(ctx context.Context, id string) (manifest.Entry, error) {
	idx, err := f.index(ctx)
	if err != nil {
		return manifest.Entry{}, err
	}
	i := slices.IndexFunc(idx.Entries, func(e manifest.Entry) bool { return e.ID == id })
	if i < 0 {
		return manifest.Entry{}, &NotOfferedError{ID: id, Base: f.Base()}
	}
	return idx.Entries[i], nil
}

func (f *Feed) index(ctx context.Context) (manifest.Index, error) {
	if f.source == nil {
		return manifest.Index{}, f.absent
	}
	text, err := f.document(ctx)
	if err != nil {
		return manifest.Index{}, err
	}
	idx, err := manifest.ParseIndex(text)
	if err != nil {
		return manifest.Index{}, &manifest.Refusal{
			What: "use " + indexName + " from " + f.Base(), Why: err.Error(),
			Hint: "check that [feed] url is the feed's root",
		}
	}
	if f.Signed() {
		return idx, f.accept(ctx, idx)
	}
	if expired(idx.Expires) {
		idx.Problems = append(idx.Problems, manifest.Problem{
			Severity: manifest.Warning, Where: "index: expires",
			What: "it expired at " + idx.Expires.Format(time.RFC3339), Hint: "the publisher must make a new one",
		})
	}
	return idx, nil
}

// document is the index as bytes, which are the publisher's where the feed is
// signed.
func (f *Feed) document(ctx context.Context) ([]byte, error) {
	if f.Signed() {
		return f.signed(ctx)
	}
	return f.source.Document(ctx, indexName, manifest.MaxIndex)
}
