package supervisor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/configs/manifest"
)

// A bound keeps what is too much from starting and says which it is; what runs is
// not touched, and room lets it start.
func TestInstanceBounds(t *testing.T) {
	for key, limits := range map[string]Limits{
		"limits.instances":        {Instances: 1},
		"limits.member_instances": {Instances: 5, Member: 1},
	} {
		inHouse(t, func(t *testing.T, h *house) {
			h.SetLimits(limits)
			h.offer(manifest.Release{ID: "mail"})
			h.activate()
			_, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "mail"})
			var over *BudgetError
			if !errors.As(err, &over) || over.Key != key || !strings.Contains(err.Error(), "which is the bound "+key+"; it starts when there is room; stop what is not needed") {
				t.Errorf("got %v", err)
			}
			if h.state() != Serving || h.launched() != 1 {
				t.Errorf("notes is %s after %d starts", h.state(), h.launched())
			}
			if line := h.Status()[0]; line.Connector != "mail" || line.State != Backoff || line.Cause.Kind != CauseBudget || !line.RetryAt.IsZero() {
				t.Errorf("got %+v", line)
			}
			// A person's restart keeps its place: it is not the turn of who waits.
			if err := h.Restart(t.Context(), "ann", "notes"); err != nil {
				t.Error(err)
			}
			if err := h.StopConnector(t.Context(), "ann", "notes"); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			// What crashes, and is tried again, has one place and no more.
			for range 3 {
				h.last().exit(errors.New("crash"))
				time.Sleep(10 * time.Second)
			}
			if line := h.Status()[0]; line.State != Serving {
				t.Errorf("got %+v", line)
			}
			if h.most != 1 {
				t.Errorf("%d ran at once", h.most)
			}
		})
	}
}

// However often it is started anew, there are only so many processes a minute; it
// comes up as soon as the bound lets it.
func TestSpawnBound(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.SetLimits(Limits{Spawns: 3})
		h.activate()
		for range 2 {
			h.restart()
		}
		if err := h.Restart(t.Context(), "ann", "notes"); err == nil || !strings.Contains(err.Error(), "3 processes were started within a minute, which is the bound limits.spawns_per_minute") {
			t.Errorf("got %v", err)
		}
		time.Sleep(21 * time.Second)
		if h.state() != Serving || h.launched() != 4 {
			t.Errorf("it is %s after %d starts", h.state(), h.launched())
		}
	})
}

// Who was turned away starts when there is room, without a call, in the order in
// which they came, and no more of them than there is room for.
func TestRoomIsHandedOn(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.SetLimits(Limits{Instances: 1})
		h.activate()
		names := []string{"a", "b", "c", "d"}
		for _, id := range names {
			h.offer(manifest.Release{ID: id})
			if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: id}); !is[*BudgetError](err) {
				t.Errorf("%s: got %v", id, err)
			}
		}
		serving := func() (up []string) {
			synctest.Wait()
			for _, line := range h.Status() {
				if line.State == Serving {
					up = append(up, line.Connector)
				}
			}
			return up
		}
		// A call does not change the order, and neither does the end of who only waited.
		if i := h.existing(key{"ann", "c"}); i != nil {
			time.Sleep(wakeAfter)
			if _, err := i.wake(t.Context()); !is[*BudgetError](err) {
				t.Errorf("got %v", err)
			}
		}
		if err := h.StopConnector(t.Context(), "ann", "b"); err != nil {
			t.Error(err)
		}
		for _, step := range []struct{ stops, starts string }{{"notes", "a"}, {"a", "c"}} {
			if err := h.StopConnector(t.Context(), "ann", step.stops); err != nil {
				t.Error(err)
			}
			if up := serving(); !slices.Equal(up, []string{step.starts}) {
				t.Errorf("after %s: %v serve", step.stops, up)
			}
		}
		// More room by the configuration.
		h.SetLimits(Limits{Instances: 5})
		if up := serving(); !slices.Equal(up, []string{"c", "d"}) {
			t.Errorf("with more room %v serve", up)
		}
	})
}

// One that was given up leaves its place to others; the bound of a member lets
// other members pass.
func TestWhoIsGivenUpLeavesRoom(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		if err := h.AddMember(t.Context(), Member{Name: "bob"}); err != nil {
			t.Fatal(err)
		}
		h.SetLimits(Limits{Instances: 2, Member: 1})
		h.activate()
		h.offer(manifest.Release{ID: "mail"})
		if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "mail"}); !is[*BudgetError](err) {
			t.Errorf("got %v", err)
		}
		h.offer(manifest.Release{ID: "chat"})
		if _, err := h.Activate(t.Context(), Request{Member: "bob", Connector: "chat"}); err != nil {
			t.Errorf("another member is kept out: %v", err)
		}
		h.script = func(_ context.Context, a *actor) error {
			if a.plan.Connector == "notes" {
				return errors.New("broken")
			}
			return nil
		}
		h.launches[0].exit(errors.New("crash"))
		h.settle(Failed)
		synctest.Wait()
		if line := h.Status()[0]; line.Connector != "mail" || line.State != Serving {
			t.Errorf("got %+v", line)
		}
	})
}

// So many starts at once, and as many more as soon as the bound is raised.
func TestStartsBound(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		var now atomic.Int64
		h.script = func(ctx context.Context, _ *actor) error {
			defer now.Add(-1)
			now.Add(1)
			return pause(ctx, 10*time.Second)
		}
		h.SetLimits(Limits{Starts: 2})
		for n := range 12 {
			h.offer(manifest.Release{ID: fmt.Sprint("c", n)})
		}
		for n := range 12 {
			id := fmt.Sprint("c", n)
			go func() { _, _ = h.Activate(t.Context(), Request{Member: "ann", Connector: id}) }()
		}
		time.Sleep(15 * time.Second)
		synctest.Wait()
		if now.Load() != 2 || h.launched() != 4 {
			t.Errorf("%d starts, %d at once; want 4, 2 at once", h.launched(), now.Load())
		}
		h.SetLimits(Limits{Starts: 5})
		synctest.Wait()
		if now.Load() != 5 {
			t.Errorf("%d starts at once, want 5", now.Load())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if h.launched() != 12 {
			t.Errorf("%d starts", h.launched())
		}
	})
}
