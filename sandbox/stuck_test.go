package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// freeze stops a process so that not even a kill ends it, as a disk or a network mount that hangs does, until thaw is called.
func freeze(t *testing.T, pid int) (thaw func()) {
	t.Helper()
	dir := fmt.Sprint("/sys/fs/cgroup/freezer/majordomo-test-", os.Getpid())
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip("this host has no freezer that holds what is killed: ", err)
	}
	set := func(name, value string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(value), 0); err != nil {
			t.Error(err)
		}
	}
	set("cgroup.procs", fmt.Sprint(pid))
	set("freezer.state", "FROZEN")
	return func() {
		set("freezer.state", "THAWED")
		awaitDeath(t, pid)
		_ = os.Remove(dir)
	}
}

func TestStopOfWhatIsStuck(t *testing.T) {
	h := openHost(t)
	p := start(t, h, connector("cat"))
	thaw := freeze(t, p.PID())
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
	thaw := freeze(t, p.PID())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := p.within(ctx, p.release); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	thaw()
	_ = p.abandon(ctx, errors.New("only a trial"))
}
