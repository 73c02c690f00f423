package supervisor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/manifest"
)

// killed leaves the house as a daemon does that dies in the middle of an update: version 2 is in place, and on trial.
func (h *house) killed() {
	h.t.Helper()
	h.activate()
	if err := h.change(manifest.Release{}).Do(h.t.Context(), []string{"ann"}); err != nil {
		h.t.Fatal(err)
	}
	trial := h.trial
	h.close()
	h.trial = trial
}

// What the next daemon finds on trial it starts, and keeps if it is ready.
func TestTrialIsFinished(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.killed()
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, 5*time.Second) }
		h.open()
		synctest.Wait()
		if h.trial == nil {
			t.Error("it was proven before it was ready")
		}
		if _, err := h.add(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if h.trial != nil || h.packages["notes"].Version != 2 || h.state() != Serving || h.launched() != 2 {
			t.Errorf("%+v, version %d, %s, %d starts", h.trial, h.packages["notes"].Version, h.state(), h.launched())
		}
	})
}

// What does not start is taken back by the next daemon, which says so where people look.
func TestTrialFails(t *testing.T) {
	for name, script := range map[string]func(context.Context, *actor) error{
		"it ends": failing("broken"),
		"it is never ready": func(ctx context.Context, a *actor) error {
			if a.plan.Package.Release.Version == 2 {
				return pause(ctx, time.Hour)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				h.killed()
				h.script = script
				h.open()
				time.Sleep(time.Minute) // the bubble's time
				synctest.Wait()
				if h.trial != nil || h.packages["notes"].Version != 0 || h.state() != Serving {
					t.Errorf("%+v, version %d, %s", h.trial, h.packages["notes"].Version, h.state())
				}
				lines, err := h.Logs(t.Context(), "ann", "notes", false)
				if err != nil {
					t.Fatal(err)
				}
				said := false
				for line := range lines {
					said = said || strings.Contains(line.Text, "cannot update notes: version 0 is back and runs, because version 2 did not start for ann: ")
				}
				if !said {
					t.Error("nobody said so")
				}
			})
		})
	}
}

// A daemon that is told to stop in the middle has seen no proof, and the one after it goes on.
func TestTrialOutlivesAStop(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, 5*time.Second) }
		updated := make(chan error)
		go func() { updated <- h.Update(t.Context(), h.change(manifest.Release{})) }()
		synctest.Wait()
		stopped := make(chan struct{})
		go func() { h.close(); close(stopped) }()
		if err := <-updated; err == nil || !strings.Contains(err.Error(), "cannot say yet whether version 2 of notes starts") {
			t.Errorf("got %v", err)
		}
		<-stopped
		if len(h.trial) != 1 || h.packages["notes"].Version != 2 {
			t.Errorf("%+v, version %d", h.trial, h.packages["notes"].Version)
		}
		h.script = failing("broken")
		h.open()
		time.Sleep(time.Minute)
		synctest.Wait()
		if h.trial != nil || h.packages["notes"].Version != 0 || h.state() != Serving {
			t.Errorf("%+v, version %d, %s", h.trial, h.packages["notes"].Version, h.state())
		}
	})
}

// Whoever deactivated it meanwhile is not waited for.
func TestTrialOfNobody(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.killed()
		h.trial[0].Members = []string{"bob"}
		h.open()
		synctest.Wait()
		if h.trial != nil || h.packages["notes"].Version != 2 || h.state() != Serving {
			t.Errorf("%+v, version %d, %s", h.trial, h.packages["notes"].Version, h.state())
		}
	})
}

// Dependencies are built while the old version still runs; where they cannot be had it never stands still for long.
func TestUpdateWithoutDependencies(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		old := h.last()
		h.ensure = func() error {
			if h.packages["notes"].Version != 2 {
				return nil
			}
			select {
			case <-old.done:
				t.Error("it was stopped before its dependencies were there")
			default:
			}
			return errors.New("cannot reach the registry")
		}
		err := h.Update(t.Context(), h.change(manifest.Release{}))
		if err == nil || !strings.Contains(err.Error(), "version 0 is back and runs, because version 2 did not start for ann: cannot reach the registry") {
			t.Errorf("got %v", err)
		}
	})
}
