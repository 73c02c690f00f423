package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"majordomo/mcpclient/mcptest"
)

// The program is replaced while the daemon runs, and the daemon is restarted some time after. Until then what crashes is
// brought back by the program that runs, not by what lies in its place; after it all is as it was, and only what a person stopped
// is down.
func TestUpgrade(t *testing.T) {
	h := &house{t: t, bin: filepath.Join(publicDir(t), "majordomo"), state: filepath.Join(t.TempDir(), "state"), feed: publicDir(t)}
	for id, mode := range map[string]string{"one": "good", "two": "good", "slow": "slow-init 3000", "broken": "exit 3", "stopped": "good"} {
		if err := mcptest.WriteConnector(filepath.Join(h.feed, id), id, mcptest.Python, mode, nil); err != nil {
			t.Fatal(err)
		}
	}
	h.place(binary(), "majordomo")
	h.place(filepath.Join(filepath.Dir(binary()), "majordomo-init"), "majordomo-init")
	compileFeed(h)
	h.serve()
	h.ok("member", "add", "ann")
	for _, id := range []string{"one", "two", "slow", "stopped"} {
		h.activate(id)
	}
	h.ok("install", "broken")
	if out, _, err := h.run("", "activate", "broken", "--member", "ann"); err == nil {
		t.Fatalf("the broken one came up: %s", out)
	}
	h.ok("stop", "stopped", "--member", "ann")

	h.place(binary(), "majordomo")
	h.place("/bin/false", "majordomo-init") // of a later version, which the running daemon cannot talk to
	before := h.instanceOf("ann", "one").PID
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.wait("the running daemon to bring one back", func() bool {
		now := h.instanceOf("ann", "one")
		return now.State == "ready" && now.PID != before
	})

	restart := exec.Command(h.bin, "restart", "slow", "--member", "ann")
	restart.Env = append(os.Environ(), "MAJORDOMO_STATE="+h.state)
	if err := restart.Start(); err != nil {
		t.Fatal(err)
	}
	h.wait("slow to be starting", func() bool { return h.instanceOf("ann", "slow").State == "starting" })
	h.stop()
	_ = restart.Wait() // it is told that the daemon stops, or that it is gone
	h.place(filepath.Join(filepath.Dir(binary()), "majordomo-init"), "majordomo-init")
	h.serve()
	h.wait("one, two and slow to run", func() bool { return len(h.running()) == 3 })
	h.wait("the broken one to be tried", func() bool { return h.instanceOf("ann", "broken").LastError != "" })
	if got := h.instanceOf("ann", "stopped"); !got.Stopped || got.PID != 0 {
		t.Errorf("what a person stopped is %+v", got)
	}
}

// place renames a copy of a program into the place of the house's own, as package managers do.
func (h *house) place(program, name string) {
	h.t.Helper()
	target := filepath.Join(filepath.Dir(h.bin), name)
	h.shell("cp", program, target+".new")
	if err := os.Rename(target+".new", target); err != nil {
		h.t.Fatal(err)
	}
}
