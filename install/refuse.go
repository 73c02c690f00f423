package install

import (
	"fmt"

	"majordomo/configs/manifest"
)

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
