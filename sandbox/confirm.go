package sandbox

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/cgroup"
	"majordomo/sandbox/egress"
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
	for l, note := range a.Notes {
		f.notes[Layer(l)] = note
	}
	if h.confines() {
		if err := h.check(&f, p, clone); err != nil {
			return Report{}, err
		}
	}
	f.addDisk(p.diskNote())
	if h.engine != nil {
		f.addLimits(cgroup.Observe(p.PID(), p.spec.groupLimits()))
	} else {
		f.addLimits(h.groups.Report())
	}
	report := f.report(h.driver())
	if !h.confines() {
		return report, nil
	}
	if report.Has(Egress) {
		report.Egress = p.spec.letsOut(a.Sockets.Reason)
	}
	return report, h.insist(report)
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
	notes   map[Layer]string // what is less about a layer in force
}

func newFindings() findings {
	return findings{reasons: map[Layer]string{}, fixes: map[Layer]string{}, notes: map[Layer]string{}}
}

// check compares with /proc what it shows of a confined init.
func (h *Host) check(f *findings, p *Process, clone uintptr) error {
	powerless := os.Geteuid() != 0 && clone&unix.CLONE_NEWUSER == 0
	if err := checkStatus(p.PID(), p.spec.UID, powerless); err != nil {
		return err
	}
	if os.Geteuid() != 0 {
		f.remove(UID, "the daemon is not root: the connector has the daemon's own uid and groups")
	}
	if powerless {
		f.notes[Caps] = "its bounding set is as the daemon's, since only privilege can empty it; no_new_privs keeps it from giving anything"
	}
	for _, n := range namespaces {
		if clone&n.flag == 0 {
			f.remove(n.layer, h.lacking(n.layer))
			continue
		}
		f.inForce = append(f.inForce, n.layer)
	}
	switch {
	case clone&unix.CLONE_NEWNET != 0: // its network is empty but for what the daemon serves
		f.inForce = append(f.inForce, Egress)
	case p.spec.egress().Mode == egress.None:
		f.inForce = append(f.inForce, Egress)
		f.notes[Egress] = "held by the system-call filter alone, which lets no socket of IPv4 or IPv6 be made"
	default:
		f.remove(Egress, "sandbox.network is unrestricted, and connectors have the host's network: "+h.lacking(Net))
	}
	if clone&unix.CLONE_NEWNS == 0 {
		f.notes[Landlock] = "it is the whole file view, in the host's own tree: names, sizes and modes of the host's files can be seen, and " +
			"the command lines of other processes"
	}
	return nil
}

// lacking is why the machine does not give a layer.
func (h *Host) lacking(l Layer) string { return cmp.Or(h.lacks[l], "the kernel refuses the namespace") }

func (f *findings) remove(l Layer, reason string) {
	f.inForce = slices.DeleteFunc(f.inForce, func(x Layer) bool { return x == l })
	f.reasons[l] = reason
}

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
