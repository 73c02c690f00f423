package sandbox

import (
	"cmp"
	"slices"

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
			reason = defaultReason(driver, l)
		}
		r.Missing = append(r.Missing, Missing{Layer: l, Reason: reason, Fix: cmp.Or(f.fixes[l], fix(l))})
	}
	return r
}

func defaultReason(driver string, l Layer) string {
	switch {
	case l == Disk:
		return "what a connector writes to its own directory is not limited"
	case driver == "none":
		return "the driver none confines nothing"
	}
	return "this host does not give it"
}

// always are the layers without which nothing is started by the native driver (docs/security.md). uid is among them as root.
var always = []Layer{Env, FDs, Session, Caps, NoNewPrivs, Seccomp, MountView, PIDs, Net, Egress}

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
	if h.confines() {
		return "native"
	}
	return "none"
}
