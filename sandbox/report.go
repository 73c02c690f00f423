package sandbox

import (
	"fmt"
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
		f.reasons[Layer(m.Limit)] = m.Reason
	}
}

// report sorts every layer into one of the two lists.
func (f *findings) report(driver string) Report {
	r := Report{Driver: driver}
	for _, l := range Layers() {
		if slices.Contains(f.inForce, l) {
			r.InForce = append(r.InForce, l)
			continue
		}
		reason, ok := f.reasons[l]
		if !ok {
			reason = defaultReason(driver, l)
		}
		r.Missing = append(r.Missing, Missing{Layer: l, Reason: reason, Fix: fix(l)})
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

// always are the layers without which nothing is started by the native driver (DESIGN §7). uid is among them as root.
var always = []Layer{Env, FDs, Session, Caps, NoNewPrivs, Seccomp, MountView, PIDs, Net, Egress}

// demand refuses a report that lacks what DESIGN §7, the Host or the Spec requires.
func (h *Host) demand(r Report, required []Layer) error {
	if h.confines() {
		required = slices.Concat(always, required)
	}
	for _, l := range slices.Concat(required, h.options.Required) {
		i := slices.IndexFunc(r.Missing, func(m Missing) bool { return m.Layer == l })
		if i >= 0 {
			return &StartError{Layer: l, Reason: fmt.Sprintf("it is required, but %s", r.Missing[i].Reason), Fix: r.Missing[i].Fix}
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
