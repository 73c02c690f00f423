package sandbox

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/initproc"
)

// The daemon dies just when an init without a pid namespace has executed its connector and is about to say so.
func TestInOrphanedStart(t *testing.T) {
	onlyOn(t, "pid", "cgroups")
	h := openHost(t)
	mark := fmt.Sprint("2500.", time.Now().UnixNano())
	p, err := h.launch(t.Context(), shell("setsid sleep "+mark+" & exec sleep 1000"), h.clone)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.control.request(initproc.Go); err != nil {
		t.Error(err)
	}
	forked := fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", p.PID())
	for text, err := os.ReadFile(forked); len(text) == 0 && err == nil; text, err = os.ReadFile(forked) {
	}
	if err := errors.Join(unix.Kill(p.PID(), unix.SIGSTOP), p.control.conn.Close()); err != nil { // it waits for execve, and stops then
		t.Error(err)
	}
	for deadline := time.Now().Add(20 * time.Second); len(alive("sleep\x00"+mark)) == 0 && time.Now().Before(deadline); {
	}
	if err := unix.Kill(p.PID(), unix.SIGCONT); err != nil {
		t.Error(err)
	}
	awaitDeath(t, p.PID())
	if left := alive("sleep\x00" + mark); len(left) > 0 {
		t.Errorf("%d processes outlived the daemon", len(left))
	}
	_ = p.abandon(t.Context(), errors.New("only a test"))
}
