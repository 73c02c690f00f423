package feed

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/jedisct1/go-minisign"

	"majordomo/configs/manifest"
)

const (
	signatureName = indexName + ".minisig"
	maxSignature  = 16 << 10 // more than minisign writes at most
)

// Sequences remembers the newest index of each publisher over restarts;
// *catalog.Catalog does.
type Sequences interface {
	// Advance records sequence for key unless a higher one is recorded, and
	// returns the highest there ever was.
	Advance(ctx context.Context, key string, sequence int64) (highest int64, err error)
}

// SignatureError says that the index is not what the publisher signed.
type SignatureError struct{ Base, Why string }

func (e *SignatureError) Error() string {
	return fmt.Sprintf("cannot trust %s from %s: %s; nothing of it was used: tell the publisher, or check [feed] public_key",
		indexName, e.Base, e.Why)
}

// Refused marks the error as a refusal.
func (e *SignatureError) Refused() bool { return true }

// OlderError says that the index is older than one that was accepted before.
type OlderError struct {
	Base               string
	Sequence, Accepted int64 // what came, and the highest there ever was
}

func (e *OlderError) Error() string {
	return fmt.Sprintf("cannot trust %s from %s: its sequence %d is older than %d, which was accepted before; the server hands out an old index: tell the publisher",
		indexName, e.Base, e.Sequence, e.Accepted)
}

// Refused marks the error as a refusal.
func (e *OlderError) Refused() bool { return true }

// ExpiredError says that the publisher no longer stands by the index.
type ExpiredError struct {
	Base    string
	Expires time.Time
}

func (e *ExpiredError) Error() string {
	return fmt.Sprintf("cannot trust %s from %s: it expired at %s; the publisher must sign a new one, or this machine's clock is wrong",
		indexName, e.Base, e.Expires.Format(time.RFC3339))
}

// Refused marks the error as a refusal.
func (e *ExpiredError) Refused() bool { return true }

// signed returns the bytes of an index that the key has signed. The two files
// are two requests; a publisher may have replaced them in between, so what does
// not fit is asked for once more.
func (f *Feed) signed(ctx context.Context) ([]byte, error) {
	text, err := f.signedOnce(ctx)
	if _, wrong := errors.AsType[*SignatureError](err); wrong {
		return f.signedOnce(ctx)
	}
	return text, err
}

func (f *Feed) signedOnce(ctx context.Context) ([]byte, error) {
	text, err := f.source.Document(ctx, indexName, manifest.MaxIndex)
	if err != nil {
		return nil, err
	}
	signature, err := f.source.Document(ctx, signatureName, maxSignature)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &SignatureError{f.Base(), "there is no " + signatureName + " beside it"}
	}
	if err != nil {
		return nil, err
	}
	if why := Distrust(f.key, text, signature); why != "" {
		return nil, &SignatureError{f.Base(), why}
	}
	return text, nil
}

// Distrust says why signature, the text of connectors.json.minisig, is not one of
// exactly this index by key; "" = it is.
func Distrust(key *minisign.PublicKey, index, signature []byte) (why string) {
	sig, err := minisign.DecodeSignature(string(signature))
	if err != nil {
		return signatureName + " is not a minisign signature"
	}
	if sig.KeyId != key.KeyId {
		return fmt.Sprintf("%s was made with the key %s, not with %s", signatureName, keyID(sig.KeyId), keyID(key.KeyId))
	}
	if ok, err := key.Verify(index, sig); err != nil || !ok {
		return signatureName + " is not a signature of these bytes"
	}
	return ""
}

// keyID is how minisign writes it: the number is little endian.
func keyID(id [8]byte) string {
	slices.Reverse(id[:])
	return strings.ToUpper(hex.EncodeToString(id[:]))
}

// accept takes a verified index, and remembers that it was there.
func (f *Feed) accept(ctx context.Context, idx manifest.Index) error {
	for _, p := range idx.Problems {
		if p.Severity == manifest.Error {
			return &manifest.Refusal{What: "use " + indexName + " from " + f.Base(), Why: p.String(), Hint: "this is for the publisher to fix"}
		}
	}
	if expired(idx.Expires) {
		return &ExpiredError{f.Base(), idx.Expires}
	}
	highest, err := f.sequences.Advance(ctx, hex.EncodeToString(f.key.PublicKey[:]), idx.Sequence)
	if err == nil && highest > idx.Sequence {
		err = &OlderError{f.Base(), idx.Sequence, highest}
	}
	return err
}

func expired(at time.Time) bool { return !at.IsZero() && !time.Now().Before(at) }

// errUncovered stands for a manifest that the signature says nothing about.
var errUncovered = errors.New("the signed index does not list its digest, so anybody could have changed it")
