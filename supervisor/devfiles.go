package supervisor

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"time"

	"majordomo/configs"
	"majordomo/configs/manifest"
	"majordomo/deps"
	"majordomo/install"
	"majordomo/install/author"
)

// Below the directory of a connector under development: the version that runs, and
// the one that was sent last, which may not be fit to run.
const (
	devCurrent = "now"
	devNext    = "next"
)

// writeDevFiles writes what a client sent to the place of the next version, and
// reads it as an installation would.
func writeDevFiles(paths configs.Paths, k key, files map[string][]byte) (install.Package, error) {
	dir := filepath.Join(paths.DevelopmentOf(k.member, k.connector), devNext, k.connector)
	if err := os.RemoveAll(dir); err != nil {
		return install.Package{}, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return install.Package{}, err
	}
	if err := writeFiles(dir, files); err != nil {
		return install.Package{}, err
	}
	release, err := author.Release(dir)
	if err != nil {
		return install.Package{}, &manifest.Refusal{What: "run " + k.connector, Why: err.Error()}
	}
	if release, err = forOneMember(release); err != nil {
		return install.Package{}, err
	}
	return install.Package{Release: release, Dir: dir, InstalledAt: time.Now(), Digest: install.FilesDigest(release.Files)}, nil
}

// writeFiles writes files below dir and nowhere else.
func writeFiles(dir string, files map[string][]byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, text := range files {
		mode := os.FileMode(0o644)
		if bytes.HasPrefix(text, []byte("#!")) {
			mode = 0o755
		}
		if err := errors.Join(root.MkdirAll(path.Dir(name), 0o755), root.WriteFile(name, text, mode)); err != nil {
			return err
		}
	}
	return nil
}

// makeCurrent moves the next version to where versions run from. What still runs
// from the one before keeps its files.
func (dev *devVersion) makeCurrent(paths configs.Paths) error {
	now := filepath.Join(paths.DevelopmentOf(dev.key.member, dev.key.connector), devCurrent)
	to := filepath.Join(now, dev.key.connector)
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(now, 0o755)); err != nil {
		return err
	}
	if err := os.Rename(dev.pkg.Dir, to); err != nil {
		return err
	}
	dev.pkg.Dir = to
	return nil
}

// removeDevFiles removes everything of a connector under development from the disk;
// nothing may run from it.
func removeDevFiles(paths configs.Paths, k key) error {
	name := devName(k.connector)
	err := deps.Remove(paths.ConnectorDir(k.member, name)) // it may be closed even to its owner
	for _, log := range []string{paths.Log(k.member, name), paths.Log(k.member, name) + ".1"} {
		err = errors.Join(err, os.RemoveAll(log))
	}
	return errors.Join(err, os.RemoveAll(paths.DevelopmentOf(k.member, k.connector)))
}

// removeAllDevFiles removes what a daemon that was killed left.
func (s *Supervisor) removeAllDevFiles() error {
	left, err := filepath.Glob(s.o.Paths.DevelopmentOf("*", "*"))
	for _, dir := range left {
		member, connector := filepath.Base(filepath.Dir(dir)), filepath.Base(dir)
		err = errors.Join(err, removeDevFiles(s.o.Paths, key{member, connector}))
	}
	return err
}
