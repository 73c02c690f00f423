package supervisor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"majordomo/deps"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

// What a test with real processes cannot bring about everywhere; the others are
// in package process.
func TestKindOf(t *testing.T) {
	exit := func(code int) error { return &ExitError{Exit: sandbox.Exit{Code: code}} }
	for _, c := range []struct {
		err    error
		said   string
		served bool
		want   CauseKind
	}{
		{&ExitError{Exit: sandbox.Exit{Code: -1, Signal: "SIGKILL", OOM: true}}, "", true, CauseOOM},
		{&ExitError{Exit: sandbox.Exit{Code: -1, Signal: "SIGKILL", OOM: true, Pool: true}}, "", true, CauseMemberOOM},
		{&ExitError{Exit: sandbox.Exit{Code: -1, Signal: "SIGKILL", OOM: true, Pool: true}}, "ENOENT", false, CauseMemberOOM},
		{&ExitError{Exit: sandbox.Exit{Code: -1, Signal: "SIGSEGV"}}, "ModuleNotFoundError", false, CauseSignal},
		{exit(127), "sh: 1: server: not found", false, CauseMissingFile},
		{exit(126), "", false, CauseInterpreter},
		{exit(1), "env: 'node': bad interpreter", false, CauseInterpreter},
		{fmt.Errorf("%w before its handshake was done", exit(1)), "No module named 'x'", false, CauseMissingModule},
		{exit(1), "No module named 'x'", true, CauseExit}, // one of its tools went wrong, later
		{&StartLimitError{time.Second, &HandshakeError{context.DeadlineExceeded}}, "No module named 'x'", false, CauseStartLimit},
		{&HandshakeError{errors.New("it speaks LSP")}, "", false, CauseProtocol},
		{errors.New("its output is closed"), "", true, CauseProtocol},
		{&sandbox.StartError{Reason: "no"}, "", false, CauseSandbox},
		{&deps.InstallError{}, "", false, CauseDependencies},
		{settled{errors.New("it wants a value")}, "", false, CauseSetup},
		{settled{&runtimes.MissingError{}}, "", false, CauseInterpreter},
		{errors.New("x"), "", false, CauseOther},
	} {
		if got := kindOf(c.err, []string{"first", c.said}, c.served); got != c.want {
			t.Errorf("%v, %q: got %s, want %s", c.err, c.said, got, c.want)
		}
		if advice[c.want] == "" {
			t.Errorf("there is no advice for %s", c.want)
		}
	}
}

// The cause and the advice reach the status, the log and whoever calls.
func TestCauseIsSaid(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.last().plan.Log.Note("out of luck")
		h.last().exit(&ExitError{Exit: sandbox.Exit{Code: 3}})
		h.settle(Backoff)
		got := h.Status()[0].Cause
		if got == nil || got.Kind != CauseExit || got.Text != "its process exited with code 3" || len(got.Said) != 1 || got.Said[0] != "out of luck" {
			t.Errorf("got %+v", got)
		}
		lines, err := h.Logs(t.Context(), "ann", "notes", false)
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for line := range lines {
			said += line.Text + "\n"
		}
		if !strings.Contains(said, "[majordomo] its process exited with code 3") {
			t.Errorf("the log says %q", said)
		}
	})
}

// A connector that fails is left alone for a while, whoever calls; then one call
// starts it at once, long before its next try.
func TestCallDuringBackoff(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		for range 6 { // the next wait is half a minute or a whole one
			h.last().exit(errors.New("crash"))
			h.settle(Backoff)
			h.settle(Serving)
		}
		h.last().exit(errors.New("crash"))
		h.settle(Backoff)
		n := h.launched()
		for range 10 {
			if _, err := h.add(); err == nil || !strings.Contains(err.Error(), "crash; ") {
				t.Errorf("got %v, want the cause and the advice", err)
			}
		}
		if h.launched() != n {
			t.Errorf("ten calls made %d starts", h.launched()-n)
		}
		time.Sleep(wakeAfter)
		if _, err := h.add(); err != nil || h.launched() != n+1 {
			t.Errorf("%d starts for a later call (%v)", h.launched()-n, err)
		}
	})
}

// That all of a member together had too much is said as such, with the member's name, and blames nobody's own limit.
func TestMemberOOM(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.activate()
		h.last().exit(&ExitError{Exit: sandbox.Exit{Code: -1, Signal: "SIGKILL", OOM: true, Pool: true}, Member: "ann"})
		h.settle(Backoff)
		c := h.Status()[0].Cause
		if c.Kind != CauseMemberOOM || c.Text != "its process was killed, because all connectors of ann together ran out of memory" ||
			c.Next != "stop what ann does not need with majordomo stop, or raise limits.member_memory in the configuration" {
			t.Errorf("got %+v", c)
		}
	})
}
