package install

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install/feed"
)

// plan decides whether what the feed offers now may take the place of what is
// here. Nothing is downloaded yet but the index and one manifest.
func (i *Installer) plan(ctx context.Context, r Request) (feed.Offer, error) {
	offer, err := i.feed.Offer(ctx, r.ID)
	if err != nil {
		return feed.Offer{}, i.explain(r.ID, err)
	}
	if err := offer.Release.Installable(); err != nil {
		return feed.Offer{}, err
	}
	if offer.Release.Source == manifest.SourceRemote {
		return feed.Offer{}, &manifest.Refusal{
			What: "install " + r.ID,
			Why:  "it is a remote connector (mcp_remote), and this version of majordomo runs only local ones",
			Hint: "there is nothing to install for it yet",
		}
	}
	have, err := i.Package(ctx, r.ID)
	var absent *NotInstalledError
	switch {
	case errors.As(err, &absent):
		return offer, nil
	case err != nil:
		return feed.Offer{}, err
	}
	return offer, mayReplace(have, offer.Release, r.AllowDowngrade)
}

// mayReplace is the version rule: forward, or the very same bytes again.
func mayReplace(have Package, offered manifest.Release, allowDowngrade bool) error {
	what := "install " + offered.ID
	switch {
	case offered.Version < have.Release.Version && !allowDowngrade:
		return &manifest.Refusal{
			What: what,
			Why: fmt.Sprintf("the feed offers version %d, which is older than the installed version %d",
				offered.Version, have.Release.Version),
			Hint: "--allow-downgrade installs it all the same",
		}
	case offered.Version == have.Release.Version && filesDigest(offered.Files) != have.Digest:
		return &manifest.Refusal{
			What: what,
			Why:  fmt.Sprintf("the feed offers other files under the installed version %d", offered.Version),
			Hint: "the publisher must raise the version; to take these files anyway, remove the connector first",
		}
	}
	return nil
}

// explain says what was being done, and what a person can do where that is not
// in err already.
func (i *Installer) explain(id string, err error) error {
	var refusal *manifest.Refusal
	var unknown *feed.NotOfferedError
	var mismatch *digest.MismatchError
	switch {
	case errors.As(err, &unknown):
		return err
	case errors.As(err, &refusal) && refusal.What == "install "+id:
		return err
	case errors.As(err, &mismatch):
		return fmt.Errorf("cannot install %s: %w; nothing was changed, tell the publisher or try again later", id, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("cannot install %s: %w; nothing was changed, free space in %s and try again", id, err, i.paths.State)
	}
	return fmt.Errorf("cannot install %s: %w", id, err)
}
