package configs

import (
	"os"
	"strings"
	"testing"
)

// Behind these no sandbox can be built. The unit sets none of them, and says so.
func TestUnitLeavesOut(t *testing.T) {
	unit, err := os.ReadFile("systemd/majordomo.service")
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
