package sandbox

import (
	"cmp"
	"slices"

	"majordomo/sandbox/cgroup"
)

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

// remove takes a layer out of what is in force.
func (f *findings) remove(l Layer, reason string) {
	f.inForce = slices.DeleteFunc(f.inForce, func(x Layer) bool { return x == l })
	f.reasons[l] = reason
}

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

func defaultReason(driver string) string {
	if driver == "none" {
		return "the driver none confines nothing"
	}
	return "this host does not give it"
}
