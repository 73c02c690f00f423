package author

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"majordomo/configs/manifest"
)

// Lint checks a connector's folder, or a feed's, which is one that has an
// index.json, against every rule of the guide and finds all problems at once. It
// runs nothing. A WrongFolderError means that there is nothing to check at dir.
func Lint(dir string) (Report, error) {
	abs, isFeed, err := target("check", dir)
	if err != nil {
		return Report{}, err
	}
	if !isFeed {
		return newReport(lintConnector(os.DirFS(filepath.Dir(abs)), filepath.Base(abs), path.Clean)), nil
	}
	found, err := lintFeed(os.DirFS(abs))
	return newReport(found), err
}

// subject is a connector that is checked.
type subject struct {
	root     fs.FS  // of the feed
	folder   string // in it
	fragment document
	manifest document
	files    []manifest.File
	release  manifest.Release // as an installer reads it
}

// lintConnector checks one folder of a feed; file says how a file in it is called in the report.
func lintConnector(root fs.FS, folder string, file func(string) string) (found []Finding) {
	s := subject{root: root, folder: folder}
	in := func(check string) notes { return notes{check, file, &found} }
	var bad []error
	var err error
	if s.files, bad, err = scan(root, folder); err != nil {
		u, _ := errors.AsType[*unshippable](err)
		in("files").fail(place{".", ""}, "give whoever checks it the right to read the folder", "%s", u.why)
		return found // everything else would only say that again
	}
	s.readDocuments(in("documents"))
	for _, err := range bad {
		u, _ := errors.AsType[*unshippable](err)
		name, _ := filepath.Rel(folder, u.path) // both are below the feed
		in("files").fail(place{name, ""}, "take it out of the folder, or rename it", "it cannot be shipped: %s", u.why)
	}
	if s.release, err = s.merged(); err != nil {
		in("documents").fail(place{manifest.Name, ""}, writeAsGuide, "%v", err)
		return found
	}
	readerNotes(s, file, &found)
	if s.fragment.members == nil || s.manifest.members == nil {
		return found // nearly every rule would only say that again
	}
	for _, rule := range rules {
		rule.find(s, in(rule.name))
	}
	return found
}

const writeAsGuide = "write it as the guide's §1 shows"

// readDocuments says of each of the two documents what keeps it from being read.
func (s *subject) readDocuments(n notes) {
	s.fragment, s.manifest = document{name: fragmentName}, document{name: manifest.Name}
	for _, d := range []*document{&s.fragment, &s.manifest} {
		var err error
		if *d, err = readDocument(s.root, s.folder, d.name); err != nil {
			n.fail(place{d.name, ""}, writeAsGuide, "%v", err)
		}
	}
}

func (s subject) ships(name string) bool { return slices.Contains(paths(s.files), name) }
