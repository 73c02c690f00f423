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

// Behind these no sandbox can be built. The unit sets none of them, and says so.
func TestUnitLeavesOut(t *testing.T) {
	unit, err := os.ReadFile("../configs/systemd/majordomo.service")
	if err != nil {
		t.Fatal(err)
	}
	for option, why := range map[string]string{
		"ProtectControlGroups":   "the daemon cannot make control groups",
		"RestrictNamespaces":     "nor namespaces",
		"RestrictSUIDSGID":       "openat2 does not exist, since its mode cannot be seen by a filter",
		"PrivateUsers":           "an init cannot give up its groups",
		"ProtectHostname":        "an init cannot name its sandbox",
		"MemoryDenyWriteExecute": "connectors inherit it, and V8 dies of it",
		"SystemCallFilter":       "@system-service has neither mounts nor Landlock",
	} {
		if strings.Contains(string(unit), "\n"+option+"=") {
			t.Errorf("the unit sets %s: %s", option, why)
		}
		if !strings.Contains(string(unit), option) {
			t.Errorf("the unit does not say that %s is left out on purpose", option)
		}
	}
}
