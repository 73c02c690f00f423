package author

import (
	"fmt"
	"path"

	"majordomo/configs/humanize"
	"majordomo/configs/manifest"
)

// MaxDraft is how many bytes a connector under development may have.
const MaxDraft = 24 << 20

// Draft is a connector's folder as it was at one moment.
type Draft struct {
	Release manifest.Release
	Files   map[string][]byte // what is shipped, and fragment.json, by path
	Report  Report            // as of Lint
}

// Read reads a connector's folder, each file once, without what editors leave there while they save. Nothing outside the
// folder is read, whatever its owner does meanwhile: no link is followed out of it, nothing but regular files is opened,
// and no file that is also somebody else's under another name. What cannot be shipped is an error; the report is there all the
// same.
func Read(dir string) (Draft, error) {
	abs, isFeed, err := target("run", dir)
	if err != nil {
		return Draft{}, err
	}
	if isFeed {
		return Draft{}, &WrongFolderError{"run", dir, "it is a feed, name one of its connectors: " + connectors(abs)}
	}
	s, err := openSnapshot(abs)
	if err != nil {
		return Draft{}, fmt.Errorf("cannot read %s: %w", dir, humanize.Error(err))
	}
	defer s.root.Close()
	d := Draft{Report: newReport(lintConnector(s, s.name, path.Clean))}
	if d.Release, err = readRelease(s, s.name); err == nil {
		d.Files = s.shipped(d.Release)
	}
	return d, err
}
