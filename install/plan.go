package install

import (
	"cmp"
	"context"
	"errors"
	"net/url"

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
		err = i.compareDependencies(ctx, &p, have)
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
