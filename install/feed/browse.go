package feed

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"majordomo/configs/manifest"
	"majordomo/install/fetch"
)

const (
	freshFor = 300 * time.Second // a listing is good for those who only look
	patience = 2 * time.Minute   // with a feed that answers each request, but slowly
)

// cache holds the last listing for those who only look, and the one fetch for all
// of them who want a newer one.
type cache struct {
	flights singleflight.Group
	life    context.Context // of every fetch
	close   context.CancelFunc

	mu       sync.Mutex // protects what follows
	listing  Listing    // FetchedAt is zero before the first
	outdated bool
}

// Browse is List for those who only look: a listing that is at most 300 s old
// serves again, and all who ask at the same time share one fetch, which goes on
// when its callers leave. With refresh the listing is always a new one.
//
// When the feed cannot be had the last listing comes back, marked Stale. What
// cannot be trusted is an error even so: somebody should hear of it.
func (f *Feed) Browse(ctx context.Context, refresh bool) (Listing, error) {
	if l, ok := f.fresh(); ok && !refresh {
		return l.aged(), nil
	}
	fetching := f.cache.flights.DoChan(flight(refresh), func() (any, error) { return f.fill(refresh) })
	select {
	case <-ctx.Done():
		return Listing{}, ctx.Err()
	case r := <-fetching:
		if r.Err != nil {
			return f.fallBack(r.Err)
		}
		return r.Val.(Listing).aged(), nil
	}
}

// Show is Release for those who only look: when the feed cannot be had it is that
// of the last listing, which is returned too and says why it is Stale. Otherwise
// the listing is zero.
func (f *Feed) Show(ctx context.Context, id string) (manifest.Release, Listing, error) {
	r, err := f.Release(ctx, id)
	if err == nil {
		return r, Listing{}, nil
	}
	l, err := f.fallBack(err)
	if err != nil {
		return manifest.Release{}, Listing{}, err
	}
	for _, r := range l.Releases {
		if r.ID == id {
			return r, l, nil
		}
	}
	return manifest.Release{}, l, &NotOfferedError{ID: id, Base: f.Base()}
}

// Close ends what Browse has begun, and waits for it.
func (f *Feed) Close() {
	f.cache.close()
	for _, refresh := range []bool{false, true} {
		_, _, _ = f.cache.flights.Do(flight(refresh), func() (any, error) { return Listing{}, context.Canceled })
	}
}

// flight names a fetch: whoever wants to see what they just published must not
// join one that began before.
func flight(refresh bool) string {
	if refresh {
		return "refresh"
	}
	return "look"
}

func (f *Feed) fill(refresh bool) (Listing, error) {
	// Somebody's fetch may have ended since our caller looked.
	if l, ok := f.fresh(); ok && !refresh {
		return l, nil
	}
	ctx, cancel := context.WithTimeout(f.cache.life, patience)
	defer cancel()
	l, err := f.List(ctx)
	if err == nil {
		f.keep(l)
	}
	return l, err
}

// keep takes the newer of two listings.
func (f *Feed) keep(l Listing) {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	if !l.FetchedAt.Before(f.cache.listing.FetchedAt) {
		f.cache.listing, f.cache.outdated = l, false
	}
}

// outdate makes the next look a new one: what is installed now may be newer
// than what was listed.
func (f *Feed) outdate() {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	f.cache.outdated = true
}

// fresh is the last listing, and whether it may serve again.
func (f *Feed) fresh() (Listing, bool) {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	l := f.cache.listing
	return l, l.usable() && !f.cache.outdated && time.Since(l.FetchedAt) < freshFor
}

// fallBack serves the last listing when the reason is that the feed is down.
func (f *Feed) fallBack(err error) (Listing, error) {
	_, down := errors.AsType[*fetch.UnreachableError](err)
	l, _ := f.fresh()
	if !l.usable() || !down && !errors.Is(err, context.DeadlineExceeded) {
		return Listing{}, err
	}
	l.Stale = err.Error()
	return l.aged(), nil
}

// usable reports whether this is a listing, and one that its publisher still
// stands by.
func (l Listing) usable() bool {
	return !l.FetchedAt.IsZero() && !(l.Signed && expired(l.Expires))
}

func (l Listing) aged() Listing {
	l.Age = time.Since(l.FetchedAt)
	return l
}
