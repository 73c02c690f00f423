package supervisor

import (
	"errors"
	"strings"
	"testing"
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
			if !errors.As(err, &over) || over.Key != key || !strings.Contains(err.Error(), "which is the bound "+key+"; stop what is not needed") {
				t.Errorf("got %v", err)
			}
			if h.state() != Serving || h.launched() != 1 {
				t.Errorf("notes is %s after %d starts", h.state(), h.launched())
			}
			if line := h.Status()[0]; line.Connector != "mail" || line.Cause.Kind != CauseBudget || time.Until(line.RetryAt) != slowRetry {
				t.Errorf("got %+v", line)
			}
			if err := errors.Join(h.StopConnector(t.Context(), "ann", "notes"), h.StartConnector(t.Context(), "ann", "mail")); err != nil {
				t.Error(err)
			}
			// A process that crashes, stops or does not start gives its place back.
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
