package author

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// snapshot is a connector's folder in a feed that has no other, of which every file is read at most once.
type snapshot struct {
	root  *os.Root
	name  string
	owner uint32
	files map[string]kept // by path in the folder
	size  int
}

func openSnapshot(dir string) (*snapshot, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	st, ok := (*syscall.Stat_t)(nil), false
	if err == nil {
		st, ok = info.Sys().(*syscall.Stat_t)
	}
	if !ok {
		return nil, errors.Join(err, errors.New("its owner cannot be told"), root.Close())
	}
	return &snapshot{root: root, name: filepath.Base(dir), owner: st.Uid, files: map[string]kept{}}, nil
}

func (s *snapshot) shipped(r manifest.Release) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range r.Files {
		files[f.Path] = s.files[f.Path].text
	}
	if k, ok := s.files[fragmentName]; ok {
		files[fragmentName] = k.text
	}
	return files
}

// inside turns a path of the feed into one of the folder.
func (s *snapshot) inside(name string) (string, error) {
	if name == s.name {
		return ".", nil
	}
	inside, ok := strings.CutPrefix(name, s.name+"/")
	if !ok || !fs.ValidPath(inside) {
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return inside, nil
}

// Open reads a file the first time it is asked for.
func (s *snapshot) Open(name string) (fs.File, error) {
	inside, err := s.inside(name)
	if err != nil {
		return nil, err
	}
	if kept, ok := s.files[inside]; ok {
		return kept.open(), nil
	}
	f, err := s.root.OpenFile(inside, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		return f, nil
	}
	defer f.Close()
	if err == nil {
		err = s.keep(inside, f, info)
	}
	if err != nil {
		return nil, err
	}
	return s.files[inside].open(), nil
}

// ReadDir leaves out what editors leave.
func (s *snapshot) ReadDir(name string) ([]fs.DirEntry, error) {
	inside, err := s.inside(name)
	if err != nil {
		return nil, err
	}
	all, err := fs.ReadDir(s.root.FS(), inside)
	return slices.DeleteFunc(all, func(e fs.DirEntry) bool { return Passing(e.Name()) }), err
}

// keep reads a file that may be read.
func (s *snapshot) keep(inside string, f *os.File, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.Mode().IsRegular():
		return errors.New("it is not a file")
	case !ok || st.Nlink > 1 && st.Uid != s.owner:
		return errors.New("it has another name elsewhere, and belongs to somebody else than the folder")
	}
	text, err := io.ReadAll(io.LimitReader(f, manifest.MaxFile+1))
	if s.size += len(text); err == nil && s.size > MaxDraft {
		err = fmt.Errorf("with it the folder is larger than %s, which nobody can try out", humanize.Bytes(MaxDraft))
	}
	if err == nil {
		s.files[inside] = kept{text, info}
	}
	return err
}

// kept is a file that was read.
type kept struct {
	text []byte
	info fs.FileInfo
}

func (k kept) open() fs.File { return opened{bytes.NewReader(k.text), k.info} }

type opened struct {
	*bytes.Reader
	info fs.FileInfo
}

func (o opened) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o opened) Close() error               { return nil }
