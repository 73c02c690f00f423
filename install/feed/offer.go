package feed

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"majordomo/configs/manifest"
)

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

func (f *Feed) manifest(ctx context.Context, entry manifest.Entry) ([]byte, error) {
	return f.source.Document(ctx, entry.Folder+"/"+manifest.Name, manifest.MaxManifest)
}
