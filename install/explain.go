package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// explain says what was being done, and what a person can do where that is not
// in err already.
func (i *Installer) explain(id string, err error) error {
	var refusal *manifest.Refusal
	var unknown *feed.NotOfferedError
	var mismatch *digest.MismatchError
	switch {
	case errors.As(err, &unknown):
		return err
	case errors.As(err, &refusal) && refusal.What == "install "+id:
		return err
	case errors.As(err, &mismatch):
		return fmt.Errorf("cannot install %s: %w; nothing was changed, tell the publisher or try again later", id, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("cannot install %s: %w; nothing was changed, free space in %s and try again", id, err, i.paths.State)
	}
	return fmt.Errorf("cannot install %s: %w", id, err)
}

// explainMismatch recognises the honest accident of changed line endings.
func explainMismatch(f *os.File, err error) error {
	var mismatch *digest.MismatchError
	if !errors.As(err, &mismatch) {
		return err
	}
	text, readErr := io.ReadAll(io.NewSectionReader(f, 0, manifest.MaxFile))
	if readErr == nil {
		mismatch.LineEndings = digest.Of(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) == mismatch.Want
	}
	return err
}
