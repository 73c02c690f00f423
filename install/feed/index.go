package feed

import (
	"context"
	"slices"
	"time"

	"majordomo/configs/manifest"
)

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
