package sandbox

import (
	"cmp"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/cgroup"
)

// limitLayers are the control group's limits by the names that both packages use.
var limitLayers = []Layer{MemoryLimit, PIDLimit, CPULimit}

// addLimits adds what the control groups of this machine hold.
func (f *findings) addLimits(r cgroup.Report) {
	for _, l := range limitLayers {
		if slices.Contains(r.InForce, string(l)) {
			f.inForce = append(f.inForce, l)
		}
	}
	for _, m := range r.Missing {
		f.reasons[Layer(m.Limit)], f.fixes[Layer(m.Limit)] = m.Reason, m.Fix
	}
}

// addDisk adds how the disk limit is held, if there is one.
func (f *findings) addDisk(note string) {
	if note == "" {
		f.reasons[Disk] = "no limit was asked for"
		return
	}
	f.inForce = append(f.inForce, Disk)
	f.notes[Disk] = note
}

// report sorts every layer into one of the two lists.
func (f *findings) report(driver string) Report {
	r := Report{Driver: driver, InForce: []Layer{}, Missing: []Missing{}} // empty lists in JSON, not null
	for _, l := range Layers() {
		if slices.Contains(f.inForce, l) {
			r.InForce = append(r.InForce, l)
			continue
		}
		reason, ok := f.reasons[l]
		if !ok {
			reason = defaultReason(driver)
		}
		r.Missing = append(r.Missing, Missing{Layer: l, Reason: reason, Fix: cmp.Or(f.fixes[l], fixFor(driver, l))})
	}
	for l, note := range f.notes {
		r.note(l, note)
	}
	return r
}

// note says what is less than usual about a layer, if it is in force.
func (r *Report) note(l Layer, text string) {
	if !r.Has(l) {
		return
	}
	if r.Notes == nil {
		r.Notes = map[Layer]string{}
	}
	r.Notes[l] = text
}

// lose takes a layer out of what is in force.
func (r *Report) lose(l Layer, reason, fix string) {
	if !r.Has(l) {
		return
	}
	r.InForce = slices.DeleteFunc(r.InForce, func(x Layer) bool { return x == l })
	r.Missing = append(r.Missing, Missing{Layer: l, Reason: reason, Fix: fix})
	r.Egress = ""
	delete(r.Notes, l)
}

func defaultReason(driver string) string {
	if driver == "none" {
		return "the driver none confines nothing"
	}
	return "this host does not give it"
}

// always are the layers without which nothing is started by the native driver (docs/security.md).
var always = []Layer{Env, FDs, Session, Caps, NoNewPrivs, Seccomp}

// insist refuses a report that lacks what nothing is started without.
func (h *Host) insist(r Report) error {
	layers := slices.Clone(always)
	if os.Geteuid() == 0 {
		layers = append(layers, UID)
	}
	if h.options.Network != Unrestricted {
		layers = append(layers, Egress)
	}
	return demand(r, layers)
}

// needed is why the namespaces that this machine gives are not enough, or nil. Of the file view and of the end of the tree there are
// several kinds, and one of each is enough.
func (h *Host) needed() error {
	lacks := func(flag uintptr) bool { return h.confines() && h.clone&flag == 0 }
	root, abi := os.Geteuid() == 0, landlockABI()
	switch {
	case lacks(unix.CLONE_NEWNS) && abi == 0:
		return h.refuse(MountView, "there is no Landlock either to keep its files from a connector")
	case lacks(unix.CLONE_NEWPID) && !root && !h.groups.Report().Kill:
		return h.refuse(PIDs, "neither a control group nor a uid of its own would end all that a connector starts")
	case lacks(unix.CLONE_NEWPID) && !root && abi < 6:
		return h.refuse(PIDs, "a connector would have the daemon's uid, and could send it signals")
	}
	return nil
}

func (h *Host) refuse(l Layer, why string) error {
	return &StartError{Layer: l, Reason: h.lacking(l) + "; " + why, Fix: fix(l)}
}

// landlockABI is what the kernel knows of Landlock, 0 for nothing.
func landlockABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// demand refuses a report that lacks a layer.
func demand(r Report, layers []Layer) error {
	for _, m := range r.Missing {
		if slices.Contains(layers, m.Layer) {
			return &StartError{Layer: m.Layer, Reason: "it is required, but " + m.Reason, Fix: m.Fix}
		}
	}
	return nil
}

func (h *Host) driver() string {
	return cmp.Or(h.options.Driver, "native")
}
