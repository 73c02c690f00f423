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

	"github.com/jedisct1/go-minisign"
	"go.uber.org/zap"

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

	cache cache
	room  int64 // maxManifests, but for tests
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
	f.cache.life, f.cache.close = context.WithCancel(context.Background())
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
