package install

import (
	"fmt"
	"slices"
	"strings"

	"majordomo/configs/manifest"
)

// WiderError says that a release reaches for more than the installed one, and
// that nobody has agreed to it. It is a refusal.
type WiderError struct {
	ID, Verb string
	Changes  []manifest.Change
}

func (e *WiderError) Error() string {
	var what []string
	for _, c := range e.Changes {
		what = append(what, c.What)
	}
	return fmt.Sprintf("cannot %s %s: it reaches further than the installed version: %s; --accept-wider agrees to that",
		e.Verb, e.ID, strings.Join(what, "; "))
}

// Refused marks the error as a refusal.
func (e *WiderError) Refused() bool { return true }

// refuseReach is the rule of consent: what replaces a package may reach for more
// only where that was agreed to. It does not matter whether it is called an
// update. Nothing to compare with is nothing to widen: a first install is the
// admin's own choice.
func (p *Plan) refuseReach(r Request) error {
	if r.AcceptWider {
		return nil
	}
	var open []manifest.Change
	for _, c := range p.Widens {
		if !slices.Contains(r.Accepted, c) {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return &WiderError{ID: p.ID, Verb: r.verb(), Changes: open}
}
