package sandbox

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"majordomo/sandbox/initproc"
)

// confirm believes the init's report only where /proc agrees, and adds what the daemon itself has put in force. Nothing of the
// connector runs yet.
func (h *Host) confirm(p *Process, a initproc.Applied, clone uintptr) (Report, error) {
	f := newFindings()
	for _, l := range a.Layers {
		f.inForce = append(f.inForce, Layer(l))
	}
	for l, reason := range a.Missing {
		f.reasons[Layer(l)] = reason
	}
	if h.confines() {
		if err := f.check(p, clone); err != nil {
			return Report{}, err
		}
	}
	f.addLimits(h.groups.Report())
	report := f.report(h.driver())
	if !h.confines() {
		return report, nil
	}
	report.Egress = p.spec.letsOut(a.Sockets.Reason)
	return report, demand(report, always)
}

// letsOut says what the network of a Spec is. narrow is why not every port is served, or "".
func (s Spec) letsOut(narrow string) string {
	var text string
	switch s.Network {
	case NetworkOpen:
		text = "public addresses over TCP"
	case NetworkList:
		text = cmp.Or(strings.Join(s.Hosts, ", "), "nothing") + " over TCP"
	default:
		return "nothing"
	}
	if narrow != "" && s.Network == NetworkOpen {
		text += ", at the usual ports only: " + narrow
	}
	if len(s.AllowPrivate) > 0 {
		text += "; and " + strings.Join(s.AllowPrivate, ", ")
	}
	return text
}

// findings collects what is known of a process's layers.
type findings struct {
	inForce []Layer
	reasons map[Layer]string // why a layer is not in force
	fixes   map[Layer]string // what to do about it, where that is known better than by fix
}

func newFindings() findings { return findings{reasons: map[Layer]string{}, fixes: map[Layer]string{}} }

// check compares with /proc what it shows of a confined init.
func (f *findings) check(p *Process, clone uintptr) error {
	if err := checkStatus(p.PID(), p.spec.UID); err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		f.remove(UID, "the daemon is not root: the connector has the daemon's own uid and groups, in a user namespace")
	}
	for _, n := range namespaces {
		if clone&n.flag == 0 {
			f.remove(n.layer, "the kernel refuses the namespace")
			continue
		}
		f.inForce = append(f.inForce, n.layer)
	}
	f.inForce = append(f.inForce, Egress) // its network is empty but for what the daemon serves
	return nil
}

func (f *findings) remove(l Layer, reason string) {
	f.inForce = slices.DeleteFunc(f.inForce, func(x Layer) bool { return x == l })
	f.reasons[l] = reason
}

// checkStatus reads the ids, capabilities and flags of a process.
func checkStatus(pid, uid int) error {
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
