package deps

import (
	"io/fs"
	"os"
	"path/filepath"
)

type sealer struct {
	root    string
	dirs    []string // parents before children; made read-only when nothing has to be removed from them any more
	dropped []string // paths, for people; not all of many
}

// seal makes one entry the daemon's: its owner, and for a file its mode, which leaves no set-uid bit.
func (s *sealer) seal(path string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o444)
	switch {
	case d.IsDir():
		s.dirs, mode = append(s.dirs, path), 0o700
	case d.Type() == fs.ModeSymlink && s.staysInside(path):
		return os.Lchown(path, os.Getuid(), os.Getgid())
	case !d.Type().IsRegular():
		return s.drop(path)
	case info.Mode()&0o111 != 0:
		mode = 0o555
	}
	if err := os.Lchown(path, os.Getuid(), os.Getgid()); err != nil {
		return err
	}
	return os.Chmod(path, mode)
}

// staysInside is about what the link says: nothing is followed. Links among node_modules, and to the connector's own
// folders beside it, are relative.
func (s *sealer) staysInside(link string) bool {
	target, err := os.Readlink(link)
	if err != nil || filepath.IsAbs(target) {
		return false
	}
	rel, err := filepath.Rel(s.root, filepath.Join(filepath.Dir(link), target))
	return err == nil && filepath.IsLocal(rel)
}

func (s *sealer) drop(path string) error {
	rel, err := filepath.Rel(s.root, path)
	if err != nil {
		return err
	}
	switch len(s.dropped) {
	case 5:
		s.dropped = append(s.dropped, "…")
	case 6:
	default:
		s.dropped = append(s.dropped, rel)
	}
	return os.Remove(path)
}
