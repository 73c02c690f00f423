package sandbox

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The unit file leaves the daemon few capabilities. They have to be enough for a whole sandbox.
func TestAsTheService(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestAsTheService skipped: only root has capabilities to leave out")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bounds := "-all,+" + strings.Join(unitCapabilities(t), ",+")
	again := exec.Command("setpriv", "--inh-caps=-all", "--bounding-set="+bounds, self, "-test.run=^(TestReport|TestDenied|TestNamelessNetwork|TestMounts)$", "-test.v")
	again.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestReport") {
		t.Errorf("with the capabilities of the unit: %v\n%s", err, out)
	}
}

// unitCapabilities are those of the unit file, in setpriv's spelling.
func unitCapabilities(t *testing.T) []string {
	t.Helper()
	unit, err := os.ReadFile("../configs/systemd/majordomo.service")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(unit)) {
		if set, ok := strings.CutPrefix(strings.TrimSpace(line), "CapabilityBoundingSet="); ok {
			return strings.Fields(strings.ToLower(strings.ReplaceAll(set, "CAP_", "")))
		}
	}
	t.Fatal("the unit file bounds no capabilities")
	return nil
}
