package supervisor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/supervisor/activations"
)

// take is the other half of a removal.
func (h *house) take(context.Context) error {
	delete(h.packages, "notes")
	return nil
}

func (h *house) remove(purge bool) error {
	_, err := h.Remove(h.t.Context(), Removal{Connector: "notes", Take: h.take, Purge: purge})
	return err
}

// nothingLeft checks that nobody has notes any more.
func (h *house) nothingLeft() {
	h.t.Helper()
	remembered, err := h.Activations(h.t.Context(), "")
	if running := h.Status(); err != nil || len(remembered) != 0 || len(running) != 0 {
		h.t.Errorf("left: %+v, running %+v (%v)", remembered, running, err)
	}
}

// Somebody who interrupts the command must not leave an activation that is
// remembered and does not run.
func TestDeactivateIsNotInterrupted(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.last().grace = 4 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := h.Deactivate(ctx, "ann", "notes"); err != nil {
			t.Error(err)
		}
		h.nothingLeft()
	})
}

// Somebody who leaves during the start leaves an activation behind, not a riddle.
func TestActivateIsInterrupted(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, 5*time.Second) }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		act, err := h.Activate(ctx, Request{Member: "ann", Connector: "notes"})
		var waiting *Unavailable
		if act.ID != "notes" || !errors.As(err, &waiting) || strings.Contains(err.Error(), "context") {
			t.Errorf("got %+v and %v", act, err)
		}
	})
}

// While one member's connector takes its time to stop, another activates it.
func TestActivateDuringRemoval(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		if err := h.AddMember(t.Context(), Member{Name: "bob"}); err != nil {
			t.Fatal(err)
		}
		h.activate()
		h.last().grace = 4 * time.Second
		removed := make(chan error)
		go func() { removed <- h.remove(false) }()
		synctest.Wait()
		if _, err := h.Activate(t.Context(), Request{Member: "bob", Connector: "notes"}); err != nil {
			t.Error(err)
		}
		h.overlap = false // two members' own
		if err := <-removed; err != nil {
			t.Error(err)
		}
		h.nothingLeft()
	})
}

// The package goes while its dependencies are being built.
func TestRemovalDuringActivate(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.ensure = func() error { return h.remove(false) }
	_, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes"})
	var missing *install.NotInstalledError
	if !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
	h.nothingLeft()
}

// What is left of a connector that is gone can be purged, and nothing that may be another's.
func TestPurgeOfWhatIsGone(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	keep := func(id string) string {
		dir := h.o.Paths.ConnectorDir("ann", activations.NameOf(id))
		if err := os.MkdirAll(filepath.Join(dir, "auth"), 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	gone, dotted := keep("gone"), keep("a.b")
	h.offer(manifest.Release{ID: "a.b"})
	for _, tt := range []struct {
		id     string
		really bool
		want   string
	}{
		{"gone", false, "--purge removes what it kept: for ann in " + gone},
		{"gone", true, ""},
		{"gone", true, "it kept nothing for anybody"},
		{activations.NameOf("a.b"), true, "it kept nothing for anybody"},
		{"notes", true, "it kept nothing for anybody"}, // it is installed
		{"..", true, "it kept nothing for anybody"},
		{"../../..", true, "it kept nothing for anybody"},
	} {
		got, err := h.Purge(t.Context(), tt.id, tt.really)
		var missing *NotFound
		if tt.want == "" && (err != nil || len(got.Purged) != 1) || tt.want != "" && (!errors.As(err, &missing) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %+v, %v", tt.id, got, err)
		}
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("it is still there")
	}
	if _, err := os.Stat(dotted); err != nil {
		t.Error(err)
	}
}

// What a connector kept for its members stays, and is named; its dependencies go.
func TestRemoveKeepsData(t *testing.T) {
	for _, purge := range []bool{false, true} {
		h := newHouse(t)
		h.activate()
		if _, err := h.Supervisor.Unused(t.Context()); err != nil || len(h.use.Packages) != 1 || !slices.Equal(h.use.Keys, []string{"a key"}) {
			t.Errorf("in use: %+v, %v", h.use, err)
		}
		data, log := h.o.Paths.ConnectorDir("ann", "notes"), h.o.Paths.Log("ann", "notes")
		session := filepath.Join(data, "auth", "session")
		for _, dir := range []string{filepath.Dir(session), filepath.Dir(log)} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range []string{session, log} {
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := h.Remove(t.Context(), Removal{Connector: "notes", Take: h.take, Purge: purge})
		want := []Data{{"ann", data}}
		if err != nil || !slices.Equal(h.discarded, []string{"notes' tree"}) || len(got.Freed) != 1 {
			t.Errorf("%+v, %v, discarded %v", got, err, h.discarded)
		}
		_, sessionErr := os.Stat(session)
		_, logErr := os.Stat(log)
		if purge && (!slices.Equal(got.Purged, want) || got.Kept != nil || sessionErr == nil || logErr == nil) {
			t.Errorf("purged: %+v, %v, %v", got, sessionErr, logErr)
		}
		if !purge && (!slices.Equal(got.Kept, want) || got.Purged != nil || sessionErr != nil || logErr != nil) {
			t.Errorf("kept: %+v, %v, %v", got, sessionErr, logErr)
		}
		h.nothingLeft()
		h.close()
	}
}
