package sandbox

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"majordomo/sandbox/sandboxtest"
)

// What a stop cannot end is said to be stuck, and its end is seen when it comes.
func TestStopOfWhatIsStuck(t *testing.T) {
	h := openHost(t)
	p := start(t, h, connector("cat"))
	thaw := sandboxtest.Freeze(t, p.PID())
	soon := 10 * time.Millisecond
	if stage := p.Stop(t.Context(), Grace{Stdin: soon, Term: soon, Kill: soon}); stage != StageStuck {
		t.Error(stage)
	}
	thaw()
	<-p.Done()
	if p.Exit() != (Exit{Code: -1, Signal: "SIGKILL"}) {
		t.Errorf("%+v", p.Exit())
	}
}

// A start whose init is stuck ends with its context all the same.
func TestStartOfWhatIsStuck(t *testing.T) {
	h := openHost(t)
	p, err := h.launch(t.Context(), connector("cat").withOwnIDs(), h.clone)
	if err != nil {
		t.Fatal(err)
	}
	thaw := sandboxtest.Freeze(t, p.PID())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := p.within(ctx, p.release); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	thaw()
	_ = p.abandon(ctx, errors.New("only a trial"))
}
