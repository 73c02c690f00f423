package sandboxtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Freeze stops processes so that not even a kill ends them, as a disk or a network mount that hangs does, until thaw is called, which may be
// more than once, or the test ends. By then all of them have to be killed: it waits until they are gone. A test freezes once. It is skipped
// where nothing can hold what is killed, as control groups v2 cannot.
func Freeze(t testing.TB, pids ...int) (thaw func()) {
	t.Helper()
	dir := fmt.Sprint("/sys/fs/cgroup/freezer/majordomo-test-", os.Getpid())
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip(t.Name(), " skipped: this host has no freezer that holds what is killed: ", err)
	}
	set := func(name, value string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(value), 0); err != nil {
			t.Error(err)
		}
	}
	for _, pid := range pids {
		set("cgroup.procs", fmt.Sprint(pid))
	}
	set("freezer.state", "FROZEN")
	thaw = func() { set("freezer.state", "THAWED") }
	t.Cleanup(func() {
		thaw()
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for slices.ContainsFunc(pids, exists) {
			<-tick.C
		}
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	return thaw
}

func exists(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil
}
