package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"majordomo/deps"
	"majordomo/mcpclient"
	"majordomo/mcpclient/frame"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
	"majordomo/supervisor/activations"
)

// inHouse runs a test in a house whose clock is the test's.
func inHouse(t *testing.T, f func(t *testing.T, h *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		f(t, h)
		h.close()
	})
}

// Fifty calls of a connector that is down wait for one start.
func TestOneStartForFiftyCalls(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, 5*time.Second) }
		h.last().exit(errors.New("crash"))
		synctest.Wait()
		var calls sync.WaitGroup
		for range 50 {
			calls.Go(func() {
				if got, err := h.add(); err != nil || got != "add {} from 2" {
					t.Errorf("got %q (%v)", got, err)
				}
			})
		}
		calls.Wait()
		if n := h.launched(); n != 2 {
			t.Errorf("%d starts, want 2", n)
		}
	})
}

// A crash is noticed without a call, the connector serves again within a
// second, with a new generation, and serves more than once.
func TestCrashIsRepaired(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		time.Sleep(time.Minute)
		h.last().exit(errors.New("its process was killed by SIGSEGV"))
		synctest.Wait()
		if got := h.state(); got != Backoff {
			t.Errorf("after the crash it is %s", got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		line := h.Status()[0]
		if line.State != Serving || line.Generation != 2 || line.Restarts != 1 || line.PID != 1002 || !strings.Contains(line.Cause.Text, "SIGSEGV") {
			t.Errorf("a second later: %+v", line)
		}
		for range 2 {
			if got, err := h.add(); err != nil || got != "add {} from 2" {
				t.Errorf("got %q (%v)", got, err)
			}
		}
	})
}

// Who calls right after a crash does not wait for the backoff; after the next crash, soon after it, everybody does.
func TestCallAfterACrash(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		for crash, wait := range []bool{false, true} {
			h.last().exit(errors.New("crash"))
			h.settle(Backoff)
			begun := time.Now()
			if got, err := h.add(); err != nil || got != fmt.Sprintf("add {} from %d", crash+2) {
				t.Errorf("got %q (%v)", got, err)
			}
			if waited := time.Since(begun); (waited > 0) != wait {
				t.Errorf("after crash %d a call waits %v", crash+1, waited)
			}
		}
	})
}

// Who calls when the process has ended, and the instance has not heard of it yet, gets the next one: nothing was sent to the dead.
func TestCallBeforeItIsHeard(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.last().exit(errors.New("crash"))
		if got, err := h.add(); err != nil || got != "add {} from 2" {
			t.Errorf("got %q (%v)", got, err)
		}
		if line := h.Status()[0]; line.State != Serving || line.Generation != 2 || line.Restarts != 1 {
			t.Errorf("got %+v", line)
		}
	})
}

// A call in flight fails when its process ends, and is not repeated.
func TestCallInFlightFails(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		calls := 0
		h.script = func(_ context.Context, a *actor) error {
			a.call = func(context.Context, string, json.RawMessage) (string, error) {
				calls++
				a.exit(errors.New("its process exited with code 1"))
				return "", a.cause
			}
			return nil
		}
		h.activate()
		_, err := h.add()
		var down *Unavailable
		if !errors.As(err, &down) || !strings.Contains(err.Error(), "exited with code 1") {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Minute)
		if calls != 1 {
			t.Errorf("the call was made %d times", calls)
		}
	})
}

// The same words three times, at once: given up, with the cause, and tried now
// and then. Calls hear it without a start each; later one call wakes it.
func TestDeterministicFailure(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		broken := true
		h.script = func(_ context.Context, a *actor) error {
			if broken {
				time.Sleep(100 * time.Millisecond)
				return errors.New("ModuleNotFoundError: x")
			}
			return nil
		}
		act, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes"})
		if err == nil || act.ID != "notes" || act.State != activations.Error || !strings.Contains(act.Reason, "ModuleNotFoundError") {
			t.Fatalf("got %+v, %v", act, err)
		}
		h.settle(Failed)
		if h.launched() != sameWords {
			t.Errorf("it is failed after %d starts", h.launched())
		}
		time.Sleep(wakeAfter)
		for range 10 {
			// The first call wakes it; the others come too soon after that.
			if _, err := h.wakeUp(); err == nil || !strings.Contains(err.Error(), "ModuleNotFoundError") {
				t.Errorf("got %v", err)
			}
		}
		if h.launched() != sameWords+1 {
			t.Errorf("ten calls made %d starts", h.launched()-sameWords)
		}
		broken = false
		time.Sleep(wakeAfter)
		if _, err := h.wakeUp(); err != nil {
			t.Error(err)
		}
	})
}

// Whatever it failed for, it is tried again by itself every quarter of an hour, and
// serves once it was repaired: an interpreter can be installed, room can be made.
// Only what a person tells the daemon anyway is not tried.
func TestSlowRetry(t *testing.T) {
	for name, cause := range map[string]error{
		"the same words":         errors.New("ModuleNotFoundError: x"),
		"no interpreter":         &runtimes.MissingError{Name: "node"},
		"too much on disk":       &sandbox.StartError{Layer: sandbox.Disk},
		"its sandbox":            &sandbox.StartError{Layer: sandbox.Seccomp},
		"its protocol":           &HandshakeError{errors.New("it answers nonsense")},
		"its end":                &ExitError{Exit: sandbox.Exit{Code: 127}},
		"its dependencies":       &deps.InstallError{Err: errors.New("no such version")},
		"something that is torn": settled{errors.New("cannot open a secret")},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				var repaired atomic.Bool
				h.script = func(context.Context, *actor) error {
					if repaired.Load() {
						return nil
					}
					return cause
				}
				h.try()
				h.settle(Failed)
				line := h.Status()[0]
				if wait := time.Until(line.RetryAt); wait < slowRetry-time.Second || wait > slowRetry {
					t.Errorf("it is tried again in %v", wait)
				}
				starts := h.launched()
				for n := range 3 {
					time.Sleep(slowRetry)
					synctest.Wait()
					if got := h.launched() - starts; got != n+1 || h.state() != Failed {
						t.Errorf("%s after %d more starts, want %d", h.state(), got, n+1)
					}
				}
				repaired.Store(true)
				time.Sleep(slowRetry)
				synctest.Wait()
				if h.state() != Serving {
					t.Errorf("repaired, it is %s", h.state())
				}
			})
		})
	}
}

// What waits for a person who tells the daemon is not tried.
func TestNoRetryWithoutAPerson(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		delete(h.packages, "notes")
		h.restart()
		if line := h.Status()[0]; line.State != Failed || !line.RetryAt.IsZero() || line.Cause.Kind != CauseSetup {
			t.Errorf("got %+v", line)
		}
		time.Sleep(4 * slowRetry)
		synctest.Wait()
		if h.state() != Failed || h.launched() != 1 {
			t.Errorf("it is %s after %d starts", h.state(), h.launched())
		}
	})
}

// wakeUp is a call to an instance that may never have listed a tool.
func (h *house) wakeUp() (*live, error) {
	i, err := h.instance(key{"ann", "notes"})
	if err != nil {
		return nil, err
	}
	return i.wake(h.t.Context())
}

// A start that failed once is tried again by itself, as often as the
// budget allows, and then now and then.
func TestFailedStartIsRetried(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(_ context.Context, a *actor) error {
			if a.n < 9 {
				time.Sleep(10 * time.Second) // not at once, so not deterministic
				return errors.New("cannot reach its server")
			}
			return nil
		}
		if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes"}); err == nil {
			t.Fatal("it started")
		}
		h.settle(Failed) // how long that takes is left to chance
		synctest.Wait()
		if h.state() != Failed || h.launched() != tries {
			t.Errorf("it is %s after %d starts", h.state(), h.launched())
		}
		time.Sleep(4 * slowRetry)
		synctest.Wait()
		if h.state() != Serving || h.launched() != 9 {
			t.Errorf("it is %s after %d starts", h.state(), h.launched())
		}
	})
}

func TestStartHasALimit(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, time.Hour) }
		begun := time.Now()
		_, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes"})
		if err == nil || !strings.Contains(err.Error(), "within 30s") || time.Since(begun) != 30*time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

// As long as a slow install and a slow start are within their own limits, of which the first is not the second's, nothing is wrong.
func TestSlowIsNoError(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.ensure = func() error { time.Sleep(4 * time.Minute); return nil }
		h.script = func(ctx context.Context, _ *actor) error { return pause(ctx, 25*time.Second) }
		done := make(chan error, 1)
		go func() { done <- h.Restart(t.Context(), "ann", "notes") }()
		for _, c := range []struct {
			after time.Duration
			want  State
		}{{time.Second, Preparing}, {3 * time.Minute, Preparing}, {time.Minute, Starting}, {23 * time.Second, Starting}} {
			time.Sleep(c.after)
			synctest.Wait()
			line := h.Status()[0]
			all, err := h.Activations(t.Context(), "ann")
			if line.State != c.want || line.Cause != nil || err != nil || all[0].State != activations.Ready || all[0].Reason != "" {
				t.Errorf("want %s and no cause, got %+v, %+v (%v)", c.want, line, all, err)
			}
		}
		if err := <-done; err != nil || h.state() != Serving {
			t.Errorf("it is %s (%v)", h.state(), err)
		}
	})
}

// What fails for good is not tried again by itself.
func TestPermanentFailure(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		delete(h.packages, "notes")
		if err := h.Restart(t.Context(), "ann", "notes"); err == nil || !strings.Contains(err.Error(), "not installed") {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Hour)
		if h.launched() != 1 || h.state() != Failed {
			t.Errorf("%d starts, %s", h.launched(), h.state())
		}
	})
}

// Who calls what never came up is told why it did not.
func TestCallOfWhatNeverCameUp(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(context.Context, *actor) error { return errors.New("there is no interpreter") }
		if _, err := h.Activate(t.Context(), Request{Member: "ann", Connector: "notes"}); err == nil {
			t.Error("it came up")
		}
		_, err := h.Call(t.Context(), "ann", "mcp__notes__add", nil)
		if want := "notes lists no tools; it is backoff: "; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "no interpreter") {
			t.Errorf("got %v, want %q and the reason", err, want)
		}
	})
}

// One that stops slowly and one that is stopped while it starts: the next never
// overlaps; house.close checks.
func TestStopThenStart(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(ctx context.Context, a *actor) error { a.grace = 4 * time.Second; return pause(ctx, 2*time.Second) }
		h.activate()
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if err := h.Restart(t.Context(), "ann", "notes"); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				if _, err := h.add(); err != nil && !strings.Contains(err.Error(), "exited") {
					t.Error(err)
				}
			})
			h.reload("notes", nil)
			time.Sleep(time.Second)
		}
		all.Wait()
		if h.state() != Serving {
			t.Errorf("it is %s", h.state())
		}
	})
}

// The daemon stops while a connector starts and another stops slowly: Stop
// waits, and its ctx cuts the grace short.
func TestStopIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.script = func(_ context.Context, a *actor) error { a.grace = time.Hour; return nil }
		h.activate()
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		begun := time.Now()
		if err := h.Stop(ctx); err != nil {
			t.Error(err)
		}
		if time.Since(begun) != 7*time.Second {
			t.Errorf("it took %v", time.Since(begun))
		}
		if _, err := h.add(); err == nil {
			t.Error("a stopped daemon answered a call")
		}
		h.close()
	})
}

// An answer that cannot be read is no reason to say that the connector is gone.
func TestUnreadableAnswer(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(_ context.Context, a *actor) error {
			a.call = func(context.Context, string, json.RawMessage) (string, error) {
				return "", fmt.Errorf("%w: %w", mcpclient.ErrAnswer, frame.ErrTooLong)
			}
			return nil
		}
		h.activate()
		_, err := h.add()
		var down *Unavailable
		if err == nil || errors.As(err, &down) || !strings.Contains(err.Error(), "cannot call add of notes: cannot use the connector") {
			t.Errorf("got %v", err)
		}
		synctest.Wait()
		if h.state() != Serving {
			t.Errorf("it is %s", h.state())
		}
	})
}

// A call may take as long as its connector tells of progress, up to the ceiling.
func TestProgressKeepsACallAlive(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.script = func(_ context.Context, a *actor) error { a.steps = 20; return nil }
		h.activate()
		if text, err := h.add(); err != nil || text == "" {
			t.Errorf("got %q, %v", text, err)
		}
		h.last().steps = 1000
		begun := time.Now()
		_, err := h.add()
		if took := time.Since(begun); took != h.Supervisor.limits.Load().CallCeiling || err == nil || !strings.Contains(err.Error(), "it took more than 30m0s") {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

func TestDegraded(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		stuck := true
		h.script = func(_ context.Context, a *actor) error {
			a.call = func(ctx context.Context, _ string, _ json.RawMessage) (string, error) {
				if stuck {
					<-ctx.Done()
					return "", ctx.Err()
				}
				return "done", nil
			}
			return nil
		}
		h.activate()
		if _, err := h.add(); err == nil || !strings.Contains(err.Error(), "within 10s") {
			t.Errorf("got %v", err)
		}
		synctest.Wait()
		if h.state() != Degraded {
			t.Errorf("it is %s", h.state())
		}
		stuck = false
		if _, err := h.add(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if h.state() != Serving {
			t.Errorf("it is %s", h.state())
		}
		// A caller who gives up says nothing about the connector.
		stuck = true
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := h.Call(ctx, "ann", "mcp__notes__add", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		synctest.Wait()
		if h.state() != Serving {
			t.Errorf("it is %s", h.state())
		}
	})
}

// One that leaves pings unanswered shows as degraded, and is not ended for it.
func TestUnansweredPingsDegrade(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		tell := h.last().plan.OnAlive
		for _, alive := range []bool{false, false, true, true} {
			tell(alive)
			synctest.Wait()
			if want := map[bool]State{true: Serving, false: Degraded}[alive]; h.state() != want {
				t.Errorf("alive %v: it is %s", alive, h.state())
			}
		}
		tell(false)
		synctest.Wait()
		if _, err := h.add(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if h.state() != Serving || h.launched() != 1 {
			t.Errorf("after a call it is %s, started %d times", h.state(), h.launched())
		}
		if err := h.Restart(t.Context(), "ann", "notes"); err != nil {
			t.Fatal(err)
		}
		tell(false) // of the old one
		synctest.Wait()
		if h.state() != Serving {
			t.Errorf("it is %s", h.state())
		}
	})
}

// A connector that changes its tools is listed anew, and an old process cannot
// change what a new one listed.
func TestToolsFollow(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		old := h.last()
		old.plan.OnTools([]mcpclient.Tool{{Name: "add"}, {Name: "remove"}, {Name: "logout"}})
		synctest.Wait()
		if tools, _ := h.Tools(t.Context(), "ann"); len(tools) != 2 {
			t.Errorf("got %v", tools)
		}
		if err := h.Restart(t.Context(), "ann", "notes"); err != nil {
			t.Fatal(err)
		}
		old.plan.OnTools(nil)
		synctest.Wait()
		if tools, _ := h.Tools(t.Context(), "ann"); len(tools) != 1 {
			t.Errorf("got %v", tools)
		}
	})
}

// Looking at a sandbox is no start: what the running process said last is still
// what an error about it quotes.
func TestProbeLeavesTheLogAlone(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.run = func(Plan, Command) (Output, error) { return Output{Stdout: []byte(`["not permitted", ""]`)}, nil }
	h.activate()
	h.last().plan.Log.Note("its last words")
	if got, err := h.Probe(t.Context(), "ann", "notes", "/etc/shadow"); err != nil || !got.Refused {
		t.Fatalf("got %+v, %v", got, err)
	}
	if tail := h.existing(key{"ann", "notes"}).log.tail(); !slices.Equal(tail, []string{"its last words"}) {
		t.Errorf("after a probe the last words are %q", tail)
	}
}

// Who looks while an activation goes must not bring its instance back: nothing
// would ever end it.
func TestLookingMakesNoInstance(t *testing.T) {
	h := newHouse(t)
	defer h.close()
	h.activate()
	h.drop(t.Context(), key{"ann", "notes"}) // half of a deactivation
	_, logs := h.Logs(t.Context(), "ann", "notes", false)
	_, login := h.LoginStatus(t.Context(), "ann", "notes")
	if all := h.Status(); logs == nil || login == nil || len(all) != 0 {
		t.Errorf("logs: %v, login: %v, instances: %+v", logs, login, all)
	}
}
