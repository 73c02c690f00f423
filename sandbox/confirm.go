package sandbox

import (
	"cmp"
	"os"
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
	if p.spec.Pool != "" {
		h.addTotals(&report)
	}
	if !h.confines() {
		return report, nil
	}
	if report.Has(Egress) {
		report.Egress = p.spec.letsOut(a.Sockets.Reason)
	}
	return report, h.requireAlways(report)
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
