package author

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"majordomo/configs/digest"
	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// What lies in a folder and is not shipped: the compiler's own documents at the
// top (guide §1d), and what running or editing a connector leaves anywhere.
var (
	notShippedAtTop = []string{
		fragmentName, orderName, indexName, "compile.sh", "compile.py", "update_hashes.py", ".skald-install.lock",
	}
	notShipped = []string{".DS_Store", "node_modules", ".pydeps", "__pycache__", ".git"}
)

// unshippable is a file that lies in a folder and cannot be part of a package.
type unshippable struct{ path, why string } // path from the root of the feed

func (u *unshippable) Error() string { return "cannot ship " + u.path + ": " + u.why }

// scan lists the files of one connector that can be shipped, in the order of
// their paths, and those that cannot. It fails, with an
// unshippable, where the folder itself cannot be read.
func scan(root fs.FS, id string) (files []manifest.File, bad []error, err error) {
	s := scanner{root: root, id: id}
	if err := fs.WalkDir(root, id, s.visit); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(s.files, func(a, b manifest.File) int { return strings.Compare(a.Path, b.Path) })
	if err := manifest.CheckPaths(paths(s.files)); err != nil {
		s.refuse(id, err)
	}
	return s.files, s.bad, nil
}

// scanner walks through the folder of one connector.
type scanner struct {
	root  fs.FS
	id    string
	files []manifest.File
	bad   []error
}

func (s *scanner) visit(name string, d fs.DirEntry, err error) error {
	inside := strings.TrimPrefix(name, s.id+"/")
	switch {
	case err != nil && (d == nil || name == s.id): // the folder itself
		return &unshippable{s.id, unread(err).Error()}
	case err != nil:
		s.refuse(name, unread(err))
		return nil
	case slices.Contains(notShipped, path.Base(name)) || slices.Contains(notShippedAtTop, inside):
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	case d.IsDir():
		return nil
	case len(s.files)+len(s.bad) > manifest.MaxFiles:
		s.refuse(s.id, fmt.Errorf("it has more than %d files", manifest.MaxFiles))
		return fs.SkipAll
	}
	s.take(name, inside, d)
	return nil
}

// take adds a file, or why it cannot be shipped.
func (s *scanner) take(name, inside string, d fs.DirEntry) {
	if err := unfit(inside, d); err != nil {
		s.refuse(name, err)
		return
	}
	file, err := digestFile(s.root, name)
	if err != nil {
		s.refuse(name, err)
		return
	}
	file.Path = inside
	s.files = append(s.files, file)
}

func (s *scanner) refuse(name string, why error) {
	s.bad = append(s.bad, &unshippable{name, why.Error()})
}

func paths(files []manifest.File) []string {
	var all []string
	for _, f := range files {
		all = append(all, f.Path)
	}
	return all
}

// unfit says why a file is not even read.
func unfit(inside string, d fs.DirEntry) error {
	if err := manifest.CheckPath(inside); err != nil {
		return err
	}
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		return errors.New("it is a link, and only what it points to could be shipped")
	case !d.Type().IsRegular():
		return errors.New("it is not a file")
	}
	info, err := d.Info()
	if err == nil && info.Size() > manifest.MaxFile {
		return fmt.Errorf("it is larger than %s, which nobody could install", humanize.Bytes(manifest.MaxFile))
	}
	return err
}

func digestFile(root fs.FS, name string) (manifest.File, error) {
	text, err := read(root, name, manifest.MaxFile)
	if err != nil {
		return manifest.File{}, err
	}
	return manifest.File{SHA256: digest.Of(text), Size: int64(len(text))}, nil
}
