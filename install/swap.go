package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"
)

// errNoExchange says that this filesystem cannot swap two names at once.
var errNoExchange = errors.New("cannot exchange two directories on this filesystem")

func exchange(a, b string) error { return rename2(a, b, unix.RENAME_EXCHANGE) }

func rename2(from, to string, flags uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return errNoExchange
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}

// swap puts fresh(id) into its place; what was there is in staging afterwards.
// Once it returns nil the new package survives a power cut.
func (i *Installer) swap(id string) error {
	place := i.paths.Connector(id)
	if err := os.MkdirAll(i.paths.Connectors(), 0o755); err != nil {
		return err
	}
	// The new package's way back to the root of the disk comes first.
	if err := i.syncAround(id); err != nil {
		return err
	}
	i.reached("staged")
	err := i.exchange(i.fresh(id), place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.Rename(i.fresh(id), place)
	case errors.Is(err, errNoExchange):
		err = i.swapByTwo(id)
	}
	if err != nil {
		return err
	}
	i.reached("swapped")
	return i.syncAround(id)
}

// keep moves the package that was replaced beside: what still runs from it keeps
// its files. Losing it loses no install, so failing is only worth a word.
func (i *Installer) keep(id string) {
	previous := i.paths.Previous(id)
	err := errors.Join(os.MkdirAll(filepath.Dir(previous), 0o755), os.RemoveAll(previous))
	for _, from := range []string{i.fresh(id), i.parked(id)} {
		if moved := os.Rename(from, previous); !errors.Is(moved, fs.ErrNotExist) {
			err = errors.Join(err, moved)
		}
	}
	if err != nil {
		i.log.Warn("the previous package is not kept", zap.String("connector", id), zap.Error(err))
	}
}

// swapByTwo is for filesystems that cannot exchange. Between its two renames
// nothing is in place; the parked package is the journal that tells settle so.
func (i *Installer) swapByTwo(id string) error {
	place := i.paths.Connector(id)
	if err := os.Rename(place, i.parked(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := i.syncAround(id); err != nil {
		return errors.Join(err, i.unpark(id))
	}
	i.reached("parked")
	if err := os.Rename(i.fresh(id), place); err != nil {
		return errors.Join(err, i.unpark(id))
	}
	return nil
}

// unpark brings the old package back if nothing took its place.
func (i *Installer) unpark(id string) error {
	place := i.paths.Connector(id)
	if _, err := os.Lstat(place); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := os.Rename(i.parked(id), place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was never parked
	}
	return err
}

// takeAway moves the package out of its place in one step.
func (i *Installer) takeAway(id string) error {
	if err := os.MkdirAll(i.staging(id), 0o700); err != nil {
		return err
	}
	if err := os.Rename(i.paths.Connector(id), i.doomed(id)); err != nil {
		return err
	}
	i.reached("taken away")
	return i.syncAround(id)
}

// settle ends what was interrupted for id and empties its staging.
func (i *Installer) settle(id string) error {
	if err := i.unpark(id); err != nil {
		return err
	}
	return os.RemoveAll(i.staging(id))
}

// syncAround makes the names of id durable wherever they may be.
func (i *Installer) syncAround(id string) error {
	var errs []error
	for _, dir := range []string{i.staging(id), i.paths.Staging(), i.paths.Connectors(), filepath.Dir(i.paths.Connectors())} {
		errs = append(errs, syncDir(dir))
	}
	return errors.Join(errs...)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
