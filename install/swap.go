package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

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
	if err := os.MkdirAll(i.paths.Connectors(), 0o755); err != nil {
		return err
	}
	// The new package's way back to the root of the disk comes first.
	if err := i.syncAround(id); err != nil {
		return err
	}
	i.reached("staged")
	return i.putInPlace(id, i.fresh(id))
}

// putInPlace makes a package that lies elsewhere the installed one. What was
// installed is where it came from afterwards, or parked.
func (i *Installer) putInPlace(id, from string) error {
	place := i.paths.Connector(id)
	err := i.exchange(from, place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.Rename(from, place)
	case errors.Is(err, errNoExchange):
		err = i.swapByTwo(id, from)
	}
	if err != nil {
		return err
	}
	i.reached("swapped")
	return i.syncAround(id)
}

// swapByTwo is for filesystems that cannot exchange. Between its two renames
// nothing is in place; the parked package is the journal that tells settle so.
func (i *Installer) swapByTwo(id, from string) error {
	place := i.paths.Connector(id)
	if err := os.Rename(place, i.parked(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := i.syncAround(id); err != nil {
		return errors.Join(err, i.unpark(id))
	}
	i.reached("parked")
	if err := os.Rename(from, place); err != nil {
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

// syncAround makes the names of id durable wherever they may be.
func (i *Installer) syncAround(id string) error {
	var errs []error
	for _, dir := range []string{i.staging(id), i.paths.Staging(), i.paths.Connectors(), filepath.Dir(i.paths.Connectors())} {
		errs = append(errs, syncDir(dir))
	}
	if err := syncDir(i.paths.Kept()); !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
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
