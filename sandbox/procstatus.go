package sandbox

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// checkStatus reads the ids, capabilities and flags of a process.
func checkStatus(pid, uid int, powerless bool) error {
	status, err := readStatus(pid)
	if err != nil {
		return &StartError{Layer: Caps, Reason: err.Error()}
	}
	none := "0000000000000000"
	ids := strings.Join(slices.Repeat([]string{fmt.Sprint(uid)}, 4), "\t")
	for _, want := range []struct {
		layer        Layer
		field, value string
	}{
		{UID, "Uid", ids},
		{Caps, "CapInh", none}, {Caps, "CapPrm", none}, {Caps, "CapEff", none}, {Caps, "CapBnd", none}, {Caps, "CapAmb", none},
		{NoNewPrivs, "NoNewPrivs", "1"},
		{Seccomp, "Seccomp", "2"},
	} {
		if powerless && want.field == "CapBnd" {
			continue
		}
		if got := status[want.field]; got != want.value {
			return &StartError{Layer: want.layer, Reason: fmt.Sprintf("/proc shows %s %q, not %q", want.field, got, want.value)}
		}
	}
	if groups := status["Groups"]; os.Geteuid() == 0 && groups != "" {
		return &StartError{Layer: UID, Reason: "/proc shows the groups " + groups}
	}
	return nil
}

func readStatus(pid int) (map[string]string, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	status := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		status[name] = strings.TrimSpace(value)
	}
	return status, lines.Err()
}
