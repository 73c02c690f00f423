package deps

import (
	"os"
	"slices"

	"majordomo/configs/manifest"
	"majordomo/deps/declared"
)

// toolFiles are the files that npm and pip read by themselves.
var toolFiles = slices.Concat([]string{declared.PackageFile, declared.RequirementsFile, ownConfig}, declared.Lockfiles)

// inputs are the files that the tree is made from, and its key: all of them, unless p is DeclaredOnly and what npm and pip read names no
// others.
func inputs(root *os.Root, p Package) ([]manifest.File, error) {
	var few []manifest.File
	for _, f := range p.Files {
		switch {
		case !p.DeclaredOnly, f.Path == "binding.gyp": // npm compiles by itself what has one
			return p.Files, nil
		case !slices.Contains(toolFiles, f.Path):
			continue
		}
		text, err := readRegular(root, f.Path)
		if err != nil {
			return nil, err
		}
		if declared.NamesOthers(f.Path, text) {
			return p.Files, nil
		}
		few = append(few, f)
	}
	return few, nil
}
