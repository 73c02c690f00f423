package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/manifest"
	"majordomo/sandbox"
)

// What a person stopped stays stopped: for calls, for updates, and for the next
// daemon. Its tools are gone from the list and come back with it.
func TestStoppedByAPerson(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		if err := h.StopConnector(t.Context(), "ann", "notes"); err != nil {
			t.Fatal(err)
		}
		rests := func(when string, starts int) {
			t.Helper()
			time.Sleep(time.Hour)
			synctest.Wait()
			line := h.Status()[0]
			if tools, err := h.Tools(t.Context(), "ann"); line.State != Idle || !line.Stopped || h.launched() != starts || len(tools) != 0 || err != nil {
				t.Errorf("%s: %+v after %d starts, tools %v (%v)", when, line, h.launched(), tools, err)
			}
		}
		rests("stopped", 1)
		if stop := h.Status()[0].LastStop; stop == nil || stop.Stage != sandbox.StageStdin || stop.Why != byPerson {
			t.Errorf("got %+v", stop)
		}
		for _, err := range []error{second(h.add()), second(h.wakeUp()), second(h.LoginStatus(t.Context(), "ann", "notes"))} {
			if err == nil || !strings.Contains(err.Error(), "start it with: majordomo start notes --member ann") {
				t.Errorf("got %v", err)
			}
		}
		h.reload("notes", nil)
		rests("updated", 1)
		h.close()
		h.open()
		rests("in the next daemon", 1)
		if err := h.StopConnector(t.Context(), "ann", "notes"); err != nil {
			t.Error(err)
		}
		rests("stopped twice", 1)

		if err := h.StartConnector(t.Context(), "ann", "notes"); err != nil {
			t.Fatal(err)
		}
		if got, err := h.add(); err != nil || got != "add {} from 2" {
			t.Errorf("got %q (%v)", got, err)
		}
		if err := h.StartConnector(t.Context(), "ann", "notes"); err != nil || h.launched() != 2 {
			t.Errorf("%d starts (%v)", h.launched(), err)
		}
		h.close()
		h.open()
		h.settle(Serving)
	})
}

func second[T any](_ T, err error) error { return err }

// A person's restart, and a change of values, are wishes that it runs.
func TestStoppedThenWanted(t *testing.T) {
	for name, want := range map[string]func(h *house) error{
		"restart":  func(h *house) error { return h.Restart(h.t.Context(), "ann", "notes") },
		"activate": func(h *house) error { h.activate(); return nil },
	} {
		inHouse(t, func(t *testing.T, h *house) {
			h.activate()
			if err := errors.Join(h.StopConnector(t.Context(), "ann", "notes"), want(h)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			h.close()
			h.open()
			h.settle(Serving)
		})
	}
}

// Stops, starts and calls all at once: none waits for ever, and nothing overlaps.
func TestStopAmongCalls(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(ctx context.Context, a *actor) error { a.grace = time.Second; return pause(ctx, 2*time.Second) }
		h.activate()
		i := h.existing(key{"ann", "notes"})
		var all sync.WaitGroup
		for n := range 40 {
			all.Go(func() {
				time.Sleep(time.Duration(n) * 300 * time.Millisecond)
				switch n % 4 {
				case 0:
					_ = i.stopAsPerson(t.Context())
				case 1:
					_ = i.start(t.Context())
				case 2:
					_ = i.restart(t.Context())
				default:
					_, _ = h.add()
				}
			})
		}
		all.Wait()
	})
}

// Nobody calls it for a quarter of an hour: it sleeps, its tools stay listed, and
// the next call wakes it. An update has a sleeping one list its tools anew.
func TestIdle(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.SetLimits(Limits{Idle: 15 * time.Minute})
		h.activate()
		time.Sleep(10 * time.Minute)
		if _, err := h.add(); err != nil {
			t.Error(err)
		}
		time.Sleep(14 * time.Minute)
		if h.state() != Serving {
			t.Errorf("used 14 minutes ago, it is %s", h.state())
		}
		time.Sleep(2 * time.Minute)
		line := h.Status()[0]
		if tools, _ := h.Tools(t.Context(), "ann"); line.State != Idle || line.Stopped || line.Saved != 20<<20 || line.LastStop.Why != "nobody called it for 15m0s" || len(tools) != 1 {
			t.Errorf("got %+v, tools %v", line, tools)
		}
		if got, err := h.add(); err != nil || got != "add {} from 2" || h.Status()[0].Saved != 0 {
			t.Errorf("got %q (%v)", got, err)
		}
		time.Sleep(16 * time.Minute)
		h.reload("notes", nil)
		h.settle(Serving)
		h.SetLimits(Limits{}) // never, from now on
		time.Sleep(24 * time.Hour)
		if h.state() != Serving || h.launched() != 3 {
			t.Errorf("it is %s after %d starts", h.state(), h.launched())
		}
	})
}

// A call that takes longer than that is a use.
func TestIdleDuringACall(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.SetLimits(Limits{Idle: time.Minute, CallTimeout: time.Hour})
		h.script = func(_ context.Context, a *actor) error {
			a.call = func(ctx context.Context, _ string, _ json.RawMessage) (string, error) {
				return "done", pause(ctx, 10*time.Minute)
			}
			return nil
		}
		h.activate()
		if got, err := h.add(); err != nil || got != "done" {
			t.Errorf("got %q (%v)", got, err)
		}
		time.Sleep(59 * time.Second)
		if h.state() != Serving {
			t.Errorf("right after the call it is %s", h.state())
		}
		h.settle(Idle)
	})
}

// Calls arrive the moment it goes to sleep: each gets its answer.
func TestCallAsItFallsAsleep(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.SetLimits(Limits{Idle: time.Minute})
		h.script = func(_ context.Context, a *actor) error { a.grace = time.Second; return nil }
		h.activate()
		for range 50 {
			time.Sleep(time.Minute)
			if _, err := h.add(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// What signs in by QR code, or reports what happens outside, stays awake unless
// somebody asked for it to sleep.
func TestAwake(t *testing.T) {
	for name, prepare := range map[string]func(h *house){
		"scans": func(h *house) {
			h.offer(manifest.Release{ID: "notes", Auth: manifest.Auth{Kind: manifest.AuthQR}})
		},
		"listens": func(h *house) { h.script = func(_ context.Context, a *actor) error { a.listens = true; return nil } },
	} {
		inHouse(t, func(t *testing.T, h *house) {
			h.SetLimits(Limits{Idle: 15 * time.Minute})
			prepare(h)
			h.activate()
			time.Sleep(time.Hour)
			if h.state() != Serving {
				t.Errorf("%s: it is %s", name, h.state())
			}
			h.SetLimits(Limits{Idle: 15 * time.Minute, IdleAlso: []string{"notes"}})
			h.settle(Idle)
		})
	}
}

// Many connectors start a few at a time, and not all in the same moment.
func TestBringBack(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		for n := range 19 {
			id := fmt.Sprint("c", n)
			h.offer(manifest.Release{ID: id})
			if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: id}); err != nil {
				t.Fatal(err)
			}
		}
		h.close()
		starting, most := 0, 0
		moments := map[time.Time]bool{}
		h.script = func(ctx context.Context, _ *actor) error {
			h.mu.Lock()
			starting++
			most = max(most, starting)
			moments[time.Now()] = true
			h.mu.Unlock()
			defer func() { h.mu.Lock(); starting--; h.mu.Unlock() }()
			return pause(ctx, 10*time.Millisecond)
		}
		h.open()
		time.Sleep(time.Minute)
		for _, line := range h.Status() {
			if line.State != Serving {
				t.Errorf("%s is %s", line.Connector, line.State)
			}
		}
		if most > 4 || len(moments) < 6 {
			t.Errorf("%d started at once, at %d moments", most, len(moments))
		}
	})
}
