package initproc

import (
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// newRoot is where the new root is built. Every host has the directory, and what we need of it is open by then.
const newRoot = "/usr"

// enterView builds the file tree and makes it the root. Everything of the host is opened before the new root covers any of it,
// and mounted by descriptor: no path that a connector could have prepared is walked with more than RESOLVE_BENEATH.
func (s *sandbox) enterView() error {
	v, uid, gid := s.config.View, s.config.UID, s.config.GID
	if own, err := os.Readlink("/proc/self/ns/mnt"); err != nil || own == v.HostMounts || v.HostMounts == "" {
		return errors.Join(errors.New("not in a mount namespace of its own"), err) // or we would rebuild the host
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("cannot detach the mounts from the host's: %w", err)
	}
	trees, err := openBinds(v.Binds)
	if err != nil {
		return err
	}
	if err := s.build(v, trees, uid, gid); err != nil {
		return err
	}
	return pivot()
}

func (s *sandbox) build(v View, trees []tree, uid, gid int) error {
	for _, t := range v.Tmpfs {
		if err := mountTmpfs(t, uid, gid); err != nil {
			return err
		}
	}
	if err := writeFiles(v); err != nil {
		return err
	}
	root, err := unix.Open(newRoot, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("cannot open the new root: %w", err)
	}
	defer unix.Close(root)
	for _, t := range trees {
		if err := t.attach(root, v.oursAlone(t.Target)); err != nil {
			return err
		}
	}
	if err := s.mountProc(root, v); err != nil {
		return err
	}
	return setReadOnly(root)
}

func mountTmpfs(t Tmpfs, uid, gid int) error {
	target := path.Join(newRoot, t.Path)
	if err := os.MkdirAll(target, 0o755); err != nil {
		return fmt.Errorf("cannot make %s: %w", t.Path, err)
	}
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=%o", t.Size, max(1024, t.Size>>12), t.Mode)
	if t.Owned {
		options += fmt.Sprintf(",uid=%d,gid=%d", uid, gid)
	}
	if err := unix.Mount("tmpfs", target, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("cannot mount a tmpfs on %s: %w", t.Path, err)
	}
	return nil
}

// writeFiles fills the fresh root, where nobody else can be: plain paths are safe.
func writeFiles(v View) error {
	var errs []error
	for _, dir := range v.Dirs {
		errs = append(errs, os.MkdirAll(path.Join(newRoot, dir), 0o755))
	}
	for _, f := range v.Files {
		errs = append(errs, os.MkdirAll(path.Join(newRoot, path.Dir(f.Path)), 0o755))
		errs = append(errs, writeFile(path.Join(newRoot, f.Path), f.Text, unix.O_CREAT|unix.O_EXCL))
	}
	for _, l := range v.Links {
		errs = append(errs, os.MkdirAll(path.Join(newRoot, path.Dir(l.Path)), 0o755))
		errs = append(errs, os.Symlink(l.To, path.Join(newRoot, l.Path)))
	}
	return errors.Join(errs...)
}

// pivot makes the new root the root and lets go of the old one. With both arguments "." the old root is stacked on the new one
// and unmounted from there: no directory is needed for it.
func pivot() error {
	if err := unix.Chdir(newRoot); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return moveRoot(err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("cannot unmount the old root: %w", err)
	}
	return unix.Chdir("/")
}

// moveRoot puts the new root over the old one, for where pivot_root is refused: by a container's filter, or because the root is that of an
// initial ram disk. The old root lies beneath, where no path leads; to get there takes mount, chroot or an open directory, and
// capabilities, filter and close-on-exec leave the connector none of these.
func moveRoot(refused error) error {
	if err := unix.Mount(".", "/", "", unix.MS_MOVE, ""); err != nil {
		return fmt.Errorf("cannot pivot_root: %w; nor move the new root over the old one: %w", refused, err)
	}
	if err := unix.Chroot("."); err != nil {
		return fmt.Errorf("cannot pivot_root: %w; nor chroot: %w", refused, err)
	}
	return unix.Chdir("/")
}
