package install

import (
	"cmp"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// What becomes of a file.
const (
	FileNew     = "new"
	FileChanged = "changed"
	FileKept    = "kept"
	FileDropped = "dropped"
)

// FileChange is one file of the release, or one that it dropped.
type FileChange struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"` // in bytes, as declared; of what goes where it is dropped
	Was    int64  `json:"was"`  // in bytes, of what is here; 0 = nothing is
	Change string `json:"change"`
}

// reaches is in the words of activate --egress.
func reaches(r manifest.Release) string {
	switch {
	case r.Egress == nil:
		return "open"
	case len(r.Egress) == 0:
		return "none"
	}
	return "list:" + strings.Join(r.Egress, ",")
}

// describe is the plan where nothing is installed.
func describe(offer feed.Offer) Plan {
	r := offer.Release
	p := Plan{
		ID: r.ID, Name: r.Name, Version: r.Version, VersionString: r.VersionString,
		Source: r.Source, Scope: r.Scope, Auth: r.Auth.Kind, Runtime: r.Command,
		DependencyFiles: dependencyPaths(r), Dependencies: []Dependency{}, Hosts: []Host{}, Notes: []string{},
		Asks: append([]manifest.Env{}, r.Env...), Mounts: append([]string{}, r.Mounts...), Egress: reaches(r),
		Files: []FileChange{}, Widens: []manifest.Change{}, offer: offer,
	}
	if r.Verify != nil {
		p.Verify = r.Verify.Command
	}
	for _, f := range r.Files {
		p.Bytes += f.Size
		p.Files = append(p.Files, FileChange{Path: f.Path, Size: f.Size, Change: FileNew})
	}
	p.sortFiles()
	return p
}

// compare tells the plan what is here.
func (p *Plan) compare(have Package) {
	next, old := p.offer.Release, have.Release
	p.Installed, p.have = old.Version, old
	p.Widens = append(p.Widens, manifest.Widens(old, next)...)
	for n := range p.Files {
		f := &p.Files[n]
		was, had := old.File(f.Path)
		is, _ := next.File(f.Path)
		f.Was = was.Size
		switch {
		case had && was.SHA256 == is.SHA256:
			f.Change = FileKept
		case had:
			f.Change = FileChanged
		}
	}
	for _, f := range old.Files {
		if _, stays := next.File(f.Path); !stays {
			p.Files = append(p.Files, FileChange{f.Path, f.Size, f.Size, FileDropped})
		}
	}
	p.sortFiles()
	switch {
	case next.NewerThan(old):
		p.Action = ActionUpdate
	case old.NewerThan(next):
		p.Action = ActionDowngrade
	case FilesDigest(next.Files) == have.Digest:
		p.Action = ActionReinstall
	default:
		p.Action = ActionReplace
	}
}

func (p *Plan) sortFiles() {
	slices.SortFunc(p.Files, func(a, b FileChange) int { return cmp.Compare(a.Path, b.Path) })
}
