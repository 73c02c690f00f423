package supervisor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/install"
)

// take is the other half of a removal.
func (h *house) take(context.Context) error {
	delete(h.packages, "notes")
	return nil
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
		go func() { removed <- h.Remove(t.Context(), "notes", h.take) }()
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
	h.ensure = func() error { return h.Remove(t.Context(), "notes", h.take) }
	_, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes"})
	var missing *install.NotInstalledError
	if !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
	h.nothingLeft()
}
