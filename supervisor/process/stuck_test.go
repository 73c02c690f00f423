package process

import (
	"testing"

	"majordomo/mcpclient/mcptest"
	"majordomo/sandbox"
	"majordomo/sandbox/sandboxtest"
	"majordomo/supervisor"
)

// A process that the kernel holds, as a disk that hangs does, is killed and not gone. A restart neither waits for it for ever nor shares
// anything with it, and once the kernel lets go of it, it does nothing more.
func TestRestartOfWhatIsStuck(t *testing.T) {
	h := newHouse(t)
	h.install("snake", mcptest.Python, "good", nil)
	h.mustActivate("snake")
	old := h.status("snake").PID
	thaw := sandboxtest.Freeze(t, descendants(old)...)
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
