package install

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"majordomo/configs/manifest"
)

// What reaches further is not put in place until somebody has agreed, to that and to nothing else, whether it is called an
// update or an install.
func TestConsent(t *testing.T) {
	for _, update := range []bool{true, false} {
		t.Run(fmt.Sprintf("update %v", update), func(t *testing.T) {
			s := newShop(t)
			s.publish("notes", 1, map[string]string{"lib.sh": "a"})
			i := newInstaller(t, s.dir, t.TempDir())
			try := func(r Request) error {
				r.ID, r.Update = "notes", update
				_, err := i.Install(t.Context(), r)
				return err
			}
			if update {
				mustInstall(t, i, "notes")
			} else if err := try(Request{}); err != nil {
				t.Errorf("a first install has nothing to widen: %v", err)
			}
			s.publish("notes", 2, map[string]string{"lib.sh": "b", "README.md": "words"})
			if err := try(Request{}); err != nil {
				t.Errorf("it does not reach further: %v", err)
			}

			s.publish("notes", 3, map[string]string{"lib.sh": "b", "spy.sh": "x"})
			p := mustPlan(t, i, Request{ID: "notes", Update: update})
			if len(p.Widens) != 1 || !p.Consent || !strings.Contains(p.Refused, "spy.sh; --accept-wider") {
				t.Errorf("%+v", p)
			}
			var wider *WiderError
			err := try(Request{})
			if !errors.As(err, &wider) || !wider.Refused() || err.Error() != p.Refused || len(wider.Changes) != 1 {
				t.Errorf("%v, want %s", err, p.Refused)
			}
			whole(t, i, "notes", 2)

			// Meanwhile the publisher thinks of something more.
			s.publish("notes", 3, map[string]string{"lib.sh": "b", "spy.sh": "x", "evil.sh": "x"})
			if err := try(Request{Accepted: p.Widens}); !errors.As(err, &wider) || strings.Contains(err.Error(), "spy.sh") || !strings.Contains(err.Error(), "evil.sh") {
				t.Errorf("what was never shown: %v", err)
			}
			whole(t, i, "notes", 2)
			s.publish("notes", 3, map[string]string{"lib.sh": "b", "spy.sh": "x"})
			if err := try(Request{Accepted: p.Widens}); err != nil {
				t.Error(err)
			}
			whole(t, i, "notes", 3)
			s.publish("notes", 4, map[string]string{"lib.sh": "b", "spy.sh": "x", "evil.sh": "x"})
			if err := try(Request{AcceptWider: true}); err != nil {
				t.Error(err)
			}
			whole(t, i, "notes", 4)
		})
	}
}

// Whatever is refused for its version is refused for that first: there is nothing to agree to.
func TestConsentComesLast(t *testing.T) {
	s := newShop(t)
	s.publish("notes", 2, nil)
	i := newInstaller(t, s.dir, t.TempDir())
	mustInstall(t, i, "notes")
	s.publish("notes", 1, map[string]string{"spy.sh": "x"})
	p := mustPlan(t, i, Request{ID: "notes"})
	if p.Consent || !strings.Contains(p.Refused, "older") {
		t.Errorf("%+v", p)
	}
	var wider *WiderError
	if _, err := i.Install(t.Context(), Request{ID: "notes", AllowDowngrade: true}); !errors.As(err, &wider) {
		t.Errorf("a downgrade that reaches further: %v", err)
	}
	whole(t, i, "notes", 2)
}

// Going back to what was agreed to before needs no new agreement.
func TestRollbackNeedsNoConsent(t *testing.T) {
	s := newShop(t)
	i := newInstaller(t, s.dir, t.TempDir())
	s.publish("notes", 1, map[string]string{"tool.sh": "x"})
	mustInstall(t, i, "notes")
	s.publish("notes", 2, nil)
	mustInstall(t, i, "notes")
	if len(manifest.Widens(releaseOf(t, i), manifest.Release{Files: []manifest.File{{Path: "tool.sh"}}})) == 0 {
		t.Fatal("version 1 does not reach further")
	}
	rollback(t, i, 1)
}

func releaseOf(t *testing.T, i *Installer) manifest.Release {
	t.Helper()
	pkg, err := i.Package(t.Context(), "notes")
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Release
}
