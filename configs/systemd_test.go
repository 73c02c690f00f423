package configs

import (
	"os"
	"strings"
	"testing"
)

// Starting again repairs much, but no configuration, and must never be refused to a person. Nothing survives a stop.
func TestUnitStartsAgain(t *testing.T) {
	unit, err := os.ReadFile("systemd/majordomo.service")
	if err != nil {
		t.Fatal(err)
	}
	section := map[string]string{}
	current := ""
	for line := range strings.Lines(string(unit)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "[") {
			current = line
		} else if line != "" && line[0] != '#' {
			section[line] = current
		}
	}
	for line, want := range map[string]string{
		"StartLimitIntervalSec=0": "[Unit]", // in [Service] systemd would only warn
		"Restart=on-failure":      "[Service]", "RestartSec=5s": "[Service]", "RestartPreventExitStatus=78": "[Service]",
		"Wants=network-online.target": "[Unit]", "After=network-online.target docker.service": "[Unit]",
		// Whoever is left after the daemon is killed with it; one connector's death by memory is not the daemon's.
		"KillMode=mixed": "[Service]", "TimeoutStartSec=10min": "[Service]", "TimeoutStopSec=30s": "[Service]", "OOMPolicy=continue": "[Service]", "Delegate=yes": "[Service]",
	} {
		if section[line] != want {
			t.Errorf("%s is in %q, want %s", line, section[line], want)
		}
	}
	// After these systemd would not kill what KillMode=mixed leaves, or would not start before a network that may never come.
	for _, option := range []string{"ExecStop", "ExecStopPost", "SendSIGKILL", "Requires", "BindsTo"} {
		if strings.Contains(string(unit), "\n"+option+"=") {
			t.Errorf("the unit sets %s", option)
		}
	}
}

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
