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
	err = fs.WalkDir(root, id, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if d == nil || name == id { // the folder itself
				return &unshippable{id, unread(err).Error()}
			}
			bad = append(bad, &unshippable{name, unread(err).Error()})
			return nil
		}
		inside := strings.TrimPrefix(name, id+"/")
		if slices.Contains(notShipped, path.Base(name)) || slices.Contains(notShippedAtTop, inside) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if len(files)+len(bad) > manifest.MaxFiles {
			bad = append(bad, &unshippable{id, fmt.Sprintf("it has more than %d files", manifest.MaxFiles)})
			return fs.SkipAll
		}
		if err = unfit(inside, d); err == nil {
			var file manifest.File
			if file, err = digestFile(root, name); err == nil {
				file.Path = inside
				files = append(files, file)
			}
		}
		if err != nil {
			bad = append(bad, &unshippable{name, err.Error()})
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(files, func(a, b manifest.File) int { return strings.Compare(a.Path, b.Path) })
	if err := manifest.CheckPaths(paths(files)); err != nil {
		bad = append(bad, &unshippable{id, err.Error()})
	}
	return files, bad, nil
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
