package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// Actions of a Plan.
const (
	ActionInstall   = "install"   // nothing of it is here
	ActionUpdate    = "update"    // the feed offers a higher version
	ActionReinstall = "reinstall" // the very same files again
	ActionReplace   = "replace"   // other files under the same version
	ActionDowngrade = "downgrade" // the feed offers a lower version
)

// Plan is what an install would do, told before anything is downloaded but the
// index, one manifest and the files that name dependencies. Its JSON form is for
// people and programs that ask first.
type Plan struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	Action        string `json:"action"`
	Installed     int    `json:"installed"` // the version here; 0 = none
	Version       int    `json:"version"`   // the version on offer
	VersionString string `json:"version_string"`
	Source        string `json:"source"`
	Scope         string `json:"scope"`
	Auth          string `json:"auth"`
	Runtime       string `json:"runtime"` // the interpreter that runs it

	DependencyFiles []string     `json:"dependency_files"` // for which npm or pip will install other people's code
	Dependencies    []Dependency `json:"dependencies"`     // those that change

	Asks   []manifest.Env `json:"asks"`   // its form
	Mounts []string       `json:"mounts"` // what it sees of the member's
	Verify string         `json:"verify"` // its own check of the form

	Egress  string `json:"egress"`  // what it says it has to reach: list:HOST:PORT,… or none; open where it does not say
	Network string `json:"network"` // what that means here, in words, where it is not a list; "" = not known
	Hosts   []Host `json:"hosts"`   // that will be contacted before it runs, or instead

	Files []FileChange `json:"files"` // by path
	Bytes int64        `json:"bytes"` // to be downloaded, where the feed says

	Widens  []manifest.Change `json:"widens"`        // what it reaches for and the installed one does not
	Consent bool              `json:"needs_consent"` // that it widens is all that keeps it from being done
	Refused string            `json:"refused"`       // why it would not be done; "" = it would
	Notes   []string          `json:"notes"`         // what could not be found out

	refusal error
	offer   feed.Offer
	have    manifest.Release // zero where nothing is
}

// Host is a machine that is contacted.
type Host struct {
	Host string `json:"host"` // with the port, unless it is the usual one
	Why  string `json:"why"`
}

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

// Plan says what Install would do. It fails only where that cannot be known: the
// feed cannot be had or does not offer the connector, or an update is asked for
// of what is not installed. What Install would refuse is in the plan.
func (i *Installer) Plan(ctx context.Context, r Request) (Plan, error) {
	p, have, err := i.plan(ctx, r)
	if err != nil {
		return Plan{}, err
	}
	if host := hostOf(i.feed.Base()); host != "" {
		p.Hosts = append(p.Hosts, Host{host, "its files come from there"})
	}
	if p.Source == manifest.SourceRemote {
		p.Hosts = append(p.Hosts, Host{hostOf(p.offer.Release.URL), "it is a service there: what it is asked goes there"})
	}
	if p.Consent || p.refusal == nil { // else its files may be what is wrong with it
		err = i.weigh(ctx, &p, have)
	}
	if err != nil {
		return Plan{}, i.explain(r.ID, err)
	}
	return p, nil
}

// plan is the part that decides, which Install goes by too. have is zero where
// nothing is installed.
func (i *Installer) plan(ctx context.Context, r Request) (p Plan, have Package, err error) {
	have, err = i.Package(ctx, r.ID)
	var absent *NotInstalledError
	installed := !errors.As(err, &absent)
	if err != nil && (installed || r.Update) {
		return Plan{}, have, err
	}
	offer, err := i.feed.Offer(ctx, r.ID)
	if err != nil {
		return Plan{}, have, i.explain(r.ID, err)
	}
	p = describe(offer)
	p.Action = ActionInstall
	if installed {
		p.compare(have)
	}
	p.refusal = cmp.Or(refuseRelease(offer.Release), p.refuseVersion(r))
	if p.refusal == nil {
		p.refusal = p.refuseReach(r)
		p.Consent = p.refusal != nil
	}
	if p.refusal != nil {
		p.Refused = p.refusal.Error()
	}
	return p, have, nil
}

// hostOf is the host of an address; "" where it is a directory or nothing.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
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

// refuseRelease is why this release can be installed by nobody.
func refuseRelease(r manifest.Release) error {
	if err := r.Installable(); err != nil {
		return err
	}
	if r.Source == manifest.SourceRemote {
		return &manifest.Refusal{
			What: "install " + r.ID,
			Why:  "it is a remote connector (mcp_remote), and this version of majordomo runs only local ones",
			Hint: "there is nothing to install for it yet",
		}
	}
	return nil
}

// refuseVersion is the version rule: forward, or, unless an update was asked
// for, the very same bytes again; anything else only on request.
func (p *Plan) refuseVersion(r Request) error {
	refuse := func(why, hint string) error {
		return &manifest.Refusal{What: r.verb() + " " + p.ID, Why: why, Hint: hint}
	}
	switch {
	case r.AllowDowngrade:
		return nil
	case p.Action == ActionDowngrade:
		offers := versionOf(p.offer.Release)
		if p.offer.Release.Unversioned {
			offers = "a " + offers
		}
		return refuse(fmt.Sprintf("the feed offers %s, which is older than the installed version %d", offers, p.Installed),
			"--allow-downgrade installs it all the same")
	case p.Action == ActionReplace:
		return refuse("the feed offers other files under the installed "+versionOf(p.have),
			"the publisher must raise the version; --allow-downgrade takes these files all the same")
	case p.Action == ActionReinstall && r.Update:
		return refuse(versionOf(p.have)+" is installed and the feed offers nothing newer",
			"`majordomo install "+p.ID+"` fetches the same files again")
	}
	return nil
}

func versionOf(r manifest.Release) string {
	if r.Unversioned {
		return "release without a version"
	}
	return fmt.Sprintf("version %d", r.Version)
}
