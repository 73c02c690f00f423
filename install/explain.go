package install

import (
	"errors"
	"fmt"
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
