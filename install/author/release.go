package author

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"majordomo/configs/manifest"
)

// merged is what an installer makes of the connector. What the documents contradict
// each other in is taken from the manifest alone: another check says so.
func (s subject) merged() (manifest.Release, error) {
	entry := maps.Clone(s.fragment.members)
	if entry == nil {
		entry = map[string]jsontext.Value{}
	}
	for _, d := range disagreements(s.fragment, s.manifest) {
		delete(entry, d.key)
	}
	id, _ := json.Marshal(s.folder) // a string
	files, err := json.Marshal(s.files)
	if err != nil {
		return manifest.Release{}, err
	}
	entry["id"], entry["folder"], entry["files"] = id, id, files
	text, err := json.Marshal(map[string]any{"connectors": []any{entry}})
	if err != nil {
		return manifest.Release{}, err
	}
	index, err := manifest.ParseIndex(text)
	if err != nil {
		return manifest.Release{}, err
	}
	doc, err := read(s.root, path.Join(s.folder, manifest.Name), manifest.MaxManifest)
	if err != nil || s.manifest.members == nil {
		return index.Entries[0].Degraded(errUnread), nil
	}
	return index.Entries[0].Release(doc), nil
}

// errUnread stands for a manifest of which the check "documents" tells.
var errUnread = errors.New("it cannot be read")

// Release is the connector in the folder dir as whoever installs it reads it. What
// keeps it from being installed is among its Problems; a folder that is none of a
// connector is a WrongFolderError.
func Release(dir string) (manifest.Release, error) {
	abs, isFeed, err := target("test", dir)
	if err != nil {
		return manifest.Release{}, err
	}
	if isFeed {
		return manifest.Release{}, &WrongFolderError{"test", dir, "it is a feed, name one of its connectors: " + connectors(abs)}
	}
	return readRelease(os.DirFS(filepath.Dir(abs)), filepath.Base(abs))
}

func readRelease(root fs.FS, folder string) (manifest.Release, error) {
	s := subject{root: root, folder: folder}
	var bad []error
	var err error
	if s.files, bad, err = scan(s.root, s.folder); errors.Join(append(bad, err)...) != nil {
		return manifest.Release{}, errors.Join(append(bad, err)...)
	}
	s.fragment, _ = readDocument(s.root, s.folder, fragmentName) // is not what runs
	if s.manifest, err = readDocument(s.root, s.folder, manifest.Name); err != nil {
		return manifest.Release{}, fmt.Errorf("cannot read %s: %w", manifest.Name, err)
	}
	return s.merged()
}
