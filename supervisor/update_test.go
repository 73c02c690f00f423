package supervisor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/digest"
	"majordomo/configs/manifest"
	"majordomo/install"
	"majordomo/supervisor/activations"
)

// change puts release version 2 of notes in place of what there is.
func (h *house) change(next manifest.Release) Change {
	h.previous = h.packages["notes"]
	next.ID, next.Version = "notes", 2
	return Change{Connector: "notes", Verb: "update", Do: func(_ context.Context, members []string) error {
		h.offer(next)
		if len(members) > 0 {
			h.trial = []install.Trial{{ID: "notes", Verb: "update", To: 2, Members: members}}
		}
		return nil
	}}
}

// failing makes version 2 end with these words.
func failing(words string) func(context.Context, *actor) error {
	return func(_ context.Context, a *actor) error {
		if a.plan.Package.Release.Version == 2 {
			return errors.New(words)
		}
		return nil
	}
}

// Every running copy has the new version when an update is done, and those that
// ran not, too.
func TestUpdateRestartsEverybody(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		if err := h.AddMember(t.Context(), Member{Name: "bob"}); err != nil {
			t.Fatal(err)
		}
		h.activate()
		if _, err := h.Activate(t.Context(), Request{Member: "bob", Connector: "notes"}); err != nil {
			t.Fatal(err)
		}
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, 5*time.Second) }
		var said []string
		c := h.change(manifest.Release{})
		c.Progress = func(p Progress) { said = append(said, p.Phase) }
		if err := h.Update(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for _, line := range h.Status() {
			if line.State != Serving || line.Generation != 2 {
				t.Errorf("%+v", line)
			}
		}
		if h.last().plan.Package.Release.Version != 2 || strings.Join(said, " ") != "start start" || h.trial != nil {
			t.Errorf("%+v, %v", h.last().plan, said)
		}
		h.overlap = false // two members' own
	})
}

// A new version that does not start is taken back, and the old one serves.
func TestUpdateIsUndone(t *testing.T) {
	for name, tt := range map[string]struct {
		script func(context.Context, *actor) error
		next   manifest.Release
		want   string
	}{
		"it ends": {failing("its process exited with code 7"), manifest.Release{}, "its process exited with code 7"},
		"it is never ready": {func(ctx context.Context, a *actor) error {
			if a.plan.Package.Release.Version == 2 {
				return pause(ctx, time.Hour)
			}
			return nil
		}, manifest.Release{}, "it was not ready within 30s of its start"},
		"it became what nobody can run": {nil, manifest.Release{Scope: manifest.ScopeGlobal}, "for the whole household"},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				h.activate()
				h.script = tt.script
				err := h.Update(t.Context(), h.change(tt.next))
				var undone *UpdateError
				if !errors.As(err, &undone) || undone.From != 0 || undone.To != 2 || !strings.Contains(err.Error(), tt.want) ||
					!strings.HasPrefix(err.Error(), "cannot update notes: version 0 is back and runs, because version 2 did not start for ann: ") {
					t.Errorf("got %v", err)
				}
				if _, err := h.add(); err != nil || h.last().plan.Package.Release.Version != 0 {
					t.Errorf("afterwards: %v, %+v", err, h.last().plan)
				}
			})
		})
	}
}

// What is not the new version's doing undoes nothing.
func TestUpdateStays(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(h *house)
		next    manifest.Release
		want    State
	}{
		"it did not run before": {func(h *house) {
			h.script = func(context.Context, *actor) error { return errors.New("broken") }
			h.last().exit(errors.New("broken"))
			synctest.Wait()
		}, manifest.Release{}, Backoff},
		"it asks for a value that was never given": {func(*house) {}, manifest.Release{Env: []manifest.Env{{Name: "PIN", Required: true}}}, Failed},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				h.activate()
				tt.prepare(h)
				if err := h.Update(t.Context(), h.change(tt.next)); err != nil {
					t.Errorf("got %v", err)
				}
				synctest.Wait()
				if h.packages["notes"].Version != 2 || h.state() != tt.want {
					t.Errorf("version %d, %s", h.packages["notes"].Version, h.state())
				}
			})
		})
	}
}

// The member gives the new value, and it runs: the old version could not have taken it.
func TestUpdateAsksForAValue(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		if err := h.Update(t.Context(), h.change(manifest.Release{Env: []manifest.Env{{Name: "PIN", Required: true}}})); err != nil {
			t.Fatal(err)
		}
		all, err := h.Activations(t.Context(), "ann")
		if err != nil || all[0].State != activations.PendingSetup || !strings.Contains(all[0].Reason, "PIN") {
			t.Errorf("%+v, %v", all, err)
		}
		if act := h.activate("PIN=1"); act.State != activations.Ready {
			t.Errorf("%+v", act)
		}
	})
}

// A way back that is closed is said, and so is one that leads nowhere.
func TestUndoFails(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.script = failing("broken")
		h.backErr = errors.New("cannot roll back")
		err := h.Update(t.Context(), h.change(manifest.Release{}))
		if err == nil || !strings.Contains(err.Error(), "version 0 could not be put back (cannot roll back), because version 2 did not start") {
			t.Errorf("got %v", err)
		}
	})
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.script = func(context.Context, *actor) error { return errors.New("broken") }
		err := h.Update(t.Context(), h.change(manifest.Release{}))
		if err == nil || !strings.Contains(err.Error(), "version 0 is back, and does not start for ann: ") {
			t.Errorf("got %v", err)
		}
	})
}

// The same files again that do not start are nothing to undo.
func TestSameFilesAreNotUndone(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.script = func(context.Context, *actor) error { return errors.New("broken") }
		err := h.Update(t.Context(), Change{
			Connector: "notes", Verb: "install",
			Do: func(context.Context, []string) error { h.backErr = errors.New("undone"); return nil },
		})
		if err == nil || !strings.Contains(err.Error(), "its files are what they were before") {
			t.Errorf("got %v", err)
		}
	})
}

// Whoever deactivates it meanwhile, or stops the daemon, is no reason to go back.
func TestDeactivatedDuringUpdate(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, 5*time.Second) }
		updated := make(chan error)
		go func() { updated <- h.Update(t.Context(), h.change(manifest.Release{})) }()
		synctest.Wait()
		if err := h.Deactivate(t.Context(), "ann", "notes"); err != nil {
			t.Error(err)
		}
		if err := <-updated; err != nil || h.packages["notes"].Version != 2 {
			t.Errorf("got %v", err)
		}
	})
}

// The first install of a connector has nobody to restart and nothing to undo.
func TestUpdateOfNothing(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	delete(h.packages, "notes")
	if err := h.Update(t.Context(), h.change(manifest.Release{})); err != nil {
		t.Error(err)
	}
	if _, err := h.Package(t.Context(), "notes"); err != nil {
		t.Error(err)
	}
	var missing *install.NotInstalledError
	err := h.Update(t.Context(), Change{Connector: "mail", Do: func(ctx context.Context, _ []string) error { _, err := h.Package(ctx, "mail"); return err }})
	if !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
}

// digestOf is the digest of a release's package in this house.
func digestOf(r manifest.Release) digest.SHA256 { return digest.Of([]byte{byte(r.Version)}) }
