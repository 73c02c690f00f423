package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"majordomo/mcpclient"
)

// meter notes what it is told.
type meter struct{ told []string }

func (m *meter) Started(took time.Duration, ok bool) { m.add("start", took, ok) }
func (m *meter) Failed(kind CauseKind)               { m.add("failed", kind) }
func (m *meter) Restarted(kind CauseKind)            { m.add("again", kind) }
func (m *meter) Called(took time.Duration, outcome Outcome, sent, received int) {
	m.add("call", took, outcome, sent, received > 0)
}
func (m *meter) add(what ...any) { m.told = append(m.told, fmt.Sprintln(what...)) }

// Starts, calls with what became of them, failures and restarts are counted, each once.
func TestMeter(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		m := &meter{}
		h.o.Meter = m
		var answer error
		h.script = func(ctx context.Context, a *actor) error {
			a.call = func(context.Context, string, json.RawMessage) (string, error) { return "done", answer }
			return pause(ctx, time.Second)
		}
		h.activate()
		for _, answer = range []error{nil, &mcpclient.RPCError{}, mcpclient.ErrAnswer, errors.New("gone")} {
			_, _ = h.add()
		}
		h.last().exit(errors.New("crash"))
		h.settle(Backoff)
		h.settle(Serving)
		want := []string{
			"start 1s true\n",
			"call 0s answered 2 true\n", "call 0s refused 2 false\n", "call 0s unusable 2 false\n",
			"call " + exitWait.String() + " lost 2 false\n", // its process might have ended meanwhile
			"failed protocol\n", "again protocol\n", "start 1s true\n",
		}
		if !slices.Equal(m.told, want) {
			t.Errorf("got %q, want %q", m.told, want)
		}
	})
}

// A change of what processes are limited to starts anew what runs, and nothing else.
func TestRenew(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.Renew("its limits were changed", nil)
		time.Sleep(time.Second)
		h.settle(Serving)
		if stop := h.Status()[0].LastStop; h.launched() != 2 || stop.Why != "its limits were changed" {
			t.Errorf("%d starts, %+v", h.launched(), stop)
		}
		if err := h.StopConnector(t.Context(), "ann", "notes"); err != nil {
			t.Fatal(err)
		}
		h.Renew("its limits were changed", nil)
		time.Sleep(time.Hour)
		if h.launched() != 2 {
			t.Errorf("stopped, it was started %d times", h.launched()-2)
		}
	})
}

// What is for admins is shown for their tokens only.
func TestAdminOfToken(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	if err := h.AddMember(t.Context(), Member{Name: "eve", Admin: true}); err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]string{"eve": "eve", "ann": ""} {
		_, text, err := h.CreateToken(t.Context(), who, "prometheus")
		if err != nil {
			t.Fatal(err)
		}
		got, err := h.AdminOfToken(t.Context(), text)
		var other *NotAdmin
		if got != want || (want == "") != errors.As(err, &other) {
			t.Errorf("%s: got %q (%v)", who, got, err)
		}
	}
	if _, err := h.AdminOfToken(t.Context(), "guess"); err == nil {
		t.Error("a guess was taken for a token")
	}
}
