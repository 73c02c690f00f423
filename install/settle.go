package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"go.uber.org/zap"
)

// settle ends what was interrupted for id, keeps the package that was replaced,
// and empties its staging. It may itself be interrupted and repeated.
func (i *Installer) settle(id string) error {
	if err := i.unpark(id); err != nil {
		return err
	}
	_, err := os.Lstat(i.paths.Connector(id))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.RemoveAll(i.paths.Previous(id)) // there is nothing it could be previous to
	case err == nil:
		i.keep(id)
	}
	i.reached("kept")
	return errors.Join(err, os.RemoveAll(i.staging(id)))
}

// tidy settles after a change. What cannot be done now is done before the next
// change or at the next start.
func (i *Installer) tidy(id string) {
	if err := i.settle(id); err != nil {
		i.log.Warn("cannot tidy up after a change", zap.String("connector", id), zap.Error(err))
	}
	i.reached("settled")
}

// keep moves the package that was replaced beside: what still runs from it keeps
// its files. Losing it loses no install, so failing is only worth a word. The
// same bytes again are not a package to go back to.
func (i *Installer) keep(id string) {
	from, was, ok := i.replaced(id)
	here, err := readReceipt(i.paths.Connector(id), id)
	if !ok || err == nil && was.Digest == here.Digest {
		return
	}
	previous := i.paths.Previous(id)
	err = errors.Join(os.MkdirAll(filepath.Dir(previous), 0o755), os.RemoveAll(previous))
	i.reached("previous gone")
	if err = errors.Join(err, os.Rename(from, previous)); err != nil {
		i.log.Warn("the previous package is not kept", zap.String("connector", id), zap.Error(err))
	}
}

// replaced finds the package that was in place before, if it is in staging.
// Which side of an exchange fresh(id) is on tell the receipts: each is younger
// than the one it takes the place of.
func (i *Installer) replaced(id string) (dir string, was receipt, ok bool) {
	if was, err := readReceipt(i.parked(id), id); err == nil {
		return i.parked(id), was, true
	}
	was, err := readReceipt(i.fresh(id), id)
	here, err2 := readReceipt(i.paths.Connector(id), id)
	return i.fresh(id), was, err == nil && err2 == nil && was.InstalledAt.Before(here.InstalledAt)
}

// moveAway moves the package out of its place in one step.
func (i *Installer) moveAway(id string) error {
	if err := os.MkdirAll(i.staging(id), 0o700); err != nil {
		return err
	}
	if err := os.Rename(i.paths.Connector(id), i.removed(id)); err != nil {
		return err
	}
	i.reached("taken away")
	return i.syncAround(id)
}
