package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"time"

	"majordomo/configs/digest"
	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// UnreachableError says that a file could not be had: the feed is down, does
// not have it (then it is an fs.ErrNotExist), or broke off. Trying again later
// may help.
type UnreachableError struct {
	Base, Name string
	Err        error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("cannot read %s from %s: %v; check that the feed is up and that [feed] url is right", e.Name, e.Base, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// unusable is the reason why an answer is refused although it came.
type unusable string

func (u unusable) Error() string { return string(u) }

// Document returns the whole of a small file. One that is larger than limit
// bytes is a manifest.Refusal.
func (s *Source) Document(ctx context.Context, name string, limit int64) ([]byte, error) {
	var buf bytes.Buffer
	if err := s.copy(ctx, name, limit, &buf); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// File streams a file of at most manifest.MaxFile bytes to w and checks its
// digest. On any error w may have received some of the bytes; more than
// MaxFile it never receives. Errors: UnreachableError, manifest.Refusal,
// digest.MismatchError, or what w.Write returned.
func (s *Source) File(ctx context.Context, name string, want digest.SHA256, w io.Writer) error {
	hash := sha256.New()
	if err := s.copy(ctx, name, manifest.MaxFile, io.MultiWriter(w, hash)); err != nil {
		return err
	}
	if got := digest.SHA256(hash.Sum(nil)); got != want {
		return &digest.MismatchError{Path: name, Want: want, Got: got}
	}
	return nil
}

// copy moves at most limit bytes. What a server says about the length is used
// to refuse early, never to allow more.
func (s *Source) copy(ctx context.Context, name string, limit int64, w io.Writer) error {
	body, size, err := s.opener.open(ctx, name)
	if err != nil {
		return s.failed(name, err)
	}
	defer body.Close()
	if size > limit {
		return s.failed(name, tooLarge(limit))
	}
	from := &source{ctx: ctx, r: io.LimitReader(body, limit)}
	if _, err := io.Copy(w, from); from.err != nil {
		return s.failed(name, from.err)
	} else if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	// The limit is reached or the body is at its end: one more byte tells.
	switch n, err := io.ReadFull(body, make([]byte, 1)); {
	case n > 0:
		return s.failed(name, tooLarge(limit))
	case err != io.EOF:
		return s.failed(name, err)
	}
	return nil
}

func tooLarge(limit int64) error {
	return unusable("it is larger than the limit of " + humanize.Bytes(limit))
}

// source ends with its context, also where the reader below does not know it,
// and remembers a read error, to tell it from an error of the writer.
type source struct {
	ctx context.Context
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	if s.err = s.ctx.Err(); s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

func (s *Source) failed(name string, err error) error {
	var why unusable
	switch {
	case errors.As(err, &why):
		return &manifest.Refusal{What: "use " + name + " from " + s.base, Why: string(why)}
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("cannot read %s: %w", name, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the connection broke before its end")
	default:
		err = humanize.Error(aboutClock(err, time.Now()))
	}
	return &UnreachableError{Base: s.base, Name: name, Err: err}
}

// aboutClock says what is most likely where a certificate is not valid yet: a
// machine that was switched on has not set its clock.
func aboutClock(err error, now time.Time) error {
	invalid, ok := errors.AsType[x509.CertificateInvalidError](err)
	if !ok || invalid.Reason != x509.Expired || !now.Before(invalid.Cert.NotBefore) {
		return err
	}
	return fmt.Errorf("its certificate is valid from %s on, and this machine's clock says %s: set the clock (%w)",
		invalid.Cert.NotBefore.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339), err)
}
