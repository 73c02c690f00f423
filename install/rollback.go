package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"go.uber.org/zap"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
)

// Rollback puts the package back that the installed one replaced, and keeps that
// one in its place: a second Rollback goes forward again. It is a
// manifest.Refusal where no previous package is kept, or where what is kept is
// not what it was. On any error nothing is changed. For trial see Request.Trial.
func (i *Installer) Rollback(ctx context.Context, id string, trial []string) (Package, error) {
	unlock, err := i.queue.Lock(ctx, id)
	if err != nil {
		return Package{}, err
	}
	defer unlock()
	if _, err := i.Package(ctx, id); err != nil {
		return Package{}, err
	}
	rec, err := i.goBack(ctx, id, trial)
	if err != nil {
		return Package{}, fmt.Errorf("cannot roll back %s: %w", id, err)
	}
	i.log.Info("rolled back", zap.String("connector", id), zap.Int("version", rec.Release.Version))
	return rec.pack(i.paths), nil
}

func (i *Installer) goBack(ctx context.Context, id string, trial []string) (receipt, error) {
	if err := i.settle(id); err != nil {
		return receipt{}, err
	}
	defer i.tidy(id)
	rec, err := i.previous(id)
	if err != nil {
		return receipt{}, err
	}
	if err := os.MkdirAll(i.staging(id), 0o700); err != nil { // for swapByTwo
		return receipt{}, err
	}
	i.reached("staged")
	if err := i.beginTrial(ctx, "roll back", trial, rec); err != nil {
		return receipt{}, err
	}
	err = i.putInPlace(id, i.paths.Previous(id)) // the commit point
	i.project(ctx, id)
	return rec, err
}

// previous is the receipt of the package that is kept, once every file was
// compared with it: it may have lain there for years.
func (i *Installer) previous(id string) (receipt, error) {
	dir := i.paths.Previous(id)
	rec, err := readReceipt(dir, id)
	if errors.Is(err, fs.ErrNotExist) {
		return receipt{}, &notKept{"no previous package of it is here", "one is kept from its next update on"}
	}
	if err != nil {
		return receipt{}, err
	}
	for _, f := range rec.Release.Files {
		if err := compare(filepath.Join(dir, filepath.FromSlash(f.Path)), f); err != nil {
			return receipt{}, &notKept{"the previous package is damaged: " + err.Error(), "remove the connector and install it again"}
		}
	}
	return rec, nil
}

// notKept refuses a way back.
type notKept struct{ why, hint string }

func (e *notKept) Error() string { return e.why + "; " + e.hint }

// Refused makes it one of those that were not tried.
func (e *notKept) Refused() bool { return true }

// compare checks one file of a package against its receipt.
func compare(path string, want manifest.File) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, manifest.MaxFile+1))
	if err != nil {
		return err
	}
	if got := digest.Of(text); got != want.SHA256 {
		return &digest.MismatchError{Path: want.Path, Want: want.SHA256, Got: got}
	}
	return nil
}
