package author

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"majordomo/configs/digest"
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

// scan lists the files of one connector, in the order of their paths.
func scan(root fs.FS, id string) ([]manifest.File, error) {
	var files []manifest.File
	var paths []string
	err := fs.WalkDir(root, id, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", name, err)
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
		file, err := digestFile(root, name, d)
		if err != nil {
			return err
		}
		file.Path = inside
		files, paths = append(files, file), append(paths, inside)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b manifest.File) int { return strings.Compare(a.Path, b.Path) })
	if err := manifest.CheckPaths(paths); err != nil {
		return nil, fmt.Errorf("cannot ship %s: %w", id, err)
	}
	return files, nil
}

func digestFile(root fs.FS, name string, d fs.DirEntry) (manifest.File, error) {
	if !d.Type().IsRegular() {
		return manifest.File{}, fmt.Errorf("cannot ship %s: it is not a regular file", name)
	}
	info, err := d.Info()
	if err == nil && info.Size() > manifest.MaxFile {
		err = errors.New("it is larger than 8 MiB, which nobody could install")
	}
	if err != nil {
		return manifest.File{}, fmt.Errorf("cannot ship %s: %w", name, err)
	}
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return manifest.File{}, fmt.Errorf("cannot read %s: %w", name, err)
	}
	return manifest.File{SHA256: digest.Of(text), Size: int64(len(text))}, nil
}
