package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// development makes a log whose DPanic panics, so that a step that is not in the
// table fails whatever test makes it.
func development(core zapcore.Core) *zap.Logger { return zap.New(core, zap.Development()) }

// Every step of the table is walked, and no other.
func TestEveryEdge(t *testing.T) {
	core, seen := observer.New(zap.InfoLevel)
	for name, walk := range map[string]func(t *testing.T, h *house){
		"up, slow, and up again": func(t *testing.T, h *house) {
			h.stuck(1)
			h.activate()
			_, _ = h.add()
			h.settle(Degraded)
			_, _ = h.add()
			h.settle(Serving)
			h.restart()
		},
		"stopped while it is slow": func(t *testing.T, h *house) {
			h.stuck(1)
			h.activate()
			_, _ = h.add()
			h.settle(Degraded)
			h.restart()
		},
		"a crash, then another while it is slow": func(t *testing.T, h *house) {
			h.stuck(1)
			h.activate()
			h.last().exit(errors.New("crash"))
			h.settle(Backoff)
			h.settle(Serving)
			_, _ = h.add()
			h.settle(Degraded)
			h.last().exit(errors.New("crash"))
			h.settle(Backoff)
			h.settle(Serving)
		},
		"a crash too many": func(t *testing.T, h *house) {
			h.activate()
			for h.state() != Failed {
				h.last().exit(errors.New("crash"))
				time.Sleep(maxBackoff)
			}
			h.restart()
		},
		"does not start, is started by a person before its time": func(t *testing.T, h *house) {
			h.script = func(context.Context, *actor) error { return errors.New("no") }
			h.try()
			h.restart()
		},
		"does not start until it is given up": func(t *testing.T, h *house) {
			h.script = func(context.Context, *actor) error { return errors.New("no") }
			h.try()
			h.settle(Failed)
			time.Sleep(wakeAfter)
			_, _ = h.wakeUp()
		},
		"cannot be prepared": func(t *testing.T, h *house) {
			h.activate()
			delete(h.packages, "notes")
			h.restart()
			h.ensure = func() error { return errors.New("the registry is down") }
			h.offer(h.launches[0].plan.Package.Release)
			h.restart()
		},
		"stopped while it starts": func(t *testing.T, h *house) {
			h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, time.Second) }
			h.activate()
			go h.restart()
			time.Sleep(time.Second / 2)
			h.restart()
		},
		"stopped while it is prepared": func(t *testing.T, h *house) {
			h.activate()
			h.ensure = func() error { time.Sleep(time.Second); return nil }
			go h.restart()
			time.Sleep(time.Second / 2)
			h.restart()
		},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				h.o.Log = development(core)
				walk(t, h)
			})
		})
	}
	var walked []string
	for _, entry := range seen.All() {
		if at := entry.ContextMap(); at["from"] != nil {
			walked = append(walked, fmt.Sprint(at["from"], " → ", at["to"]))
		}
	}
	for from, all := range edges {
		for _, to := range all {
			if step := fmt.Sprint(from, " → ", to); !slices.Contains(walked, step) {
				t.Errorf("nothing goes %s", step)
			}
		}
	}
}

// A step that is not in the table is not made.
func TestNoOtherEdge(t *testing.T) {
	core, _ := observer.New(zap.InfoLevel)
	for _, from := range States() {
		for _, to := range States() {
			i := newInstance(&Supervisor{o: Options{Log: development(core)}}, key{"ann", "notes"})
			i.state, i.cause = from, &Cause{}
			panicked := func() (p bool) {
				defer func() { p = recover() != nil }()
				i.to(to)
				return false
			}()
			may := from == to || permitted(from, to)
			if want := map[bool]State{true: to, false: from}[may]; panicked == may || i.state != want {
				t.Errorf("%s → %s: it is %s, panicked: %v", from, to, i.state, panicked)
			}
		}
	}
}

// stuck has the first calls of every process not answered in time.
func (h *house) stuck(calls int) {
	h.script = func(_ context.Context, a *actor) error {
		left := calls
		a.call = func(ctx context.Context, _ string, _ json.RawMessage) (string, error) {
			if left--; left >= 0 {
				<-ctx.Done()
				return "", ctx.Err()
			}
			return "done", nil
		}
		return nil
	}
}

// try activates notes for ann, whatever comes of it.
func (h *house) try() {
	_, _ = h.Activate(h.t.Context(), Request{Member: "ann", Connector: "notes"})
}

// restart is a person's, also while another one is under way.
func (h *house) restart() { _ = h.existing(key{"ann", "notes"}).restart(context.Background()) }

// settle waits for a state, for an hour of the test's time at most.
func (h *house) settle(want State) {
	h.t.Helper()
	for range 36000 {
		if h.state() == want {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	h.t.Errorf("it stays %s, want %s", h.state(), want)
}
