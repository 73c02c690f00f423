package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"majordomo/mcpclient/mcptest"
	"majordomo/sandbox"
	"majordomo/supervisor"
)

// A process that the kernel holds, as a disk that hangs does, is killed and not gone. A restart neither waits for it for ever nor shares
// anything with it, and once the kernel lets go of it, it does nothing more.
func TestRestartOfWhatIsStuck(t *testing.T) {
	h := newHouse(t)
	h.install("snake", mcptest.Python, "good", nil)
	h.mustActivate("snake")
	old := h.status("snake").PID
	tree := descendants(old)
	thaw := freeze(t, tree)
	err := h.Restart(t.Context(), "ann", "snake")
	if i := h.status("snake"); err != nil || i.PID == old || i.LastStop == nil || i.LastStop.Stage != sandbox.StageStuck {
		t.Errorf("%+v, %v", i, err)
	}
	h.works("snake")
	thaw()
	h.until("snake", func(supervisor.Instance) bool { return !alive(old) })
	h.works("snake")
	if i := h.status("snake"); !ready(i) || i.Restarts != 0 || i.Generation != 2 {
		t.Errorf("%+v", i)
	}
}

// freeze stops processes so that not even a kill ends them, until thaw is called, which may be more than once.
func freeze(t *testing.T, pids []int) (thaw func()) {
	t.Helper()
	dir := fmt.Sprint("/sys/fs/cgroup/freezer/majordomo-test-process-", os.Getpid())
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip("this host has no freezer that holds what is killed: ", err)
	}
	set := func(name, value string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(value), 0); err != nil {
			t.Error(err)
		}
	}
	for _, pid := range pids {
		set("cgroup.procs", itoa(pid))
	}
	set("freezer.state", "FROZEN")
	thaw = func() { set("freezer.state", "THAWED") }
	t.Cleanup(func() { // before the house is closed
		thaw()
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for slices.ContainsFunc(pids, alive) {
			<-tick.C
		}
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	return thaw
}
