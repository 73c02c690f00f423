package sandbox

import (
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
		if got := status.field(want.field); got != want.value {
			return &StartError{Layer: want.layer, Reason: fmt.Sprintf("/proc shows %s %q, not %q", want.field, got, want.value)}
		}
	}
	if groups := status.field("Groups"); os.Geteuid() == 0 && groups != "" {
		return &StartError{Layer: UID, Reason: "/proc shows the groups " + groups}
	}
	return nil
}

// status is the text of /proc/PID/status.
type status string

func readStatus(pid int) (status, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return status(text), err
}

// field is "" where there is none.
func (s status) field(name string) string {
	_, line, _ := strings.Cut(string(s), "\n"+name+":")
	line, _, _ = strings.Cut(line, "\n")
	return strings.TrimSpace(line)
}
