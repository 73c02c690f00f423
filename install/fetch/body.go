package fetch

import (
	"context"
	"errors"
	"io"
	"net/url"
)

// body gives its error the reason of the deadline, and ends the deadline's
// timer when closed.
type body struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelFunc
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = cause(b.ctx, err)
	}
	return n, err
}

func (b *body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// cause replaces the context's own words by the reason it ended, and takes the
// URL out of the client's error: the caller names it.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
