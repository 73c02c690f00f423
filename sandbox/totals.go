package sandbox

import "majordomo/sandbox/cgroup"

// Totals are what all process trees of one pool may have together. A zero field is no total.
type Totals struct {
	Memory int64   // bytes
	Pids   int     // processes and threads
	CPU    float64 // cores
}

// Total is one limit of a pool that was asked for.
type Total struct {
	Layer  Layer  `json:"layer"`  // memory, pids or cpu
	Reason string `json:"reason"` // why it is not in force; "" = it is
}

// SetTotals changes what the trees of a pool may have together, of those that run too. The error names the pools where that could not be
// done, as with less memory than is used; it is tried again with each start there.
func (h *Host) SetTotals(t Totals) error {
	h.mu.Lock()
	h.totals = t
	h.mu.Unlock()
	return h.groups.SetTotals(cgroup.Limits(t))
}

// totalsOf says of each total that was asked for whether it is in force; r says so of the limits of single trees.
func (h *Host) totalsOf(asked Totals, r Report) (all []Total) {
	wanted := map[Layer]bool{MemoryLimit: asked.Memory > 0, PIDLimit: asked.Pids > 0, CPULimit: asked.CPU > 0}
	for _, l := range limitLayers {
		if wanted[l] {
			all = append(all, Total{Layer: l, Reason: h.noTotal(r, l)})
		}
	}
	return all
}

// noTotal is why a pool cannot have a total, or "".
func (h *Host) noTotal(r Report, l Layer) string {
	if h.engine != nil {
		return "containers have no control group in common"
	}
	for _, m := range r.Missing {
		if m.Layer == l {
			return m.Reason
		}
	}
	return h.groups.Report().NoPools
}

// addTotals says with a limit that is in force on one tree that the total of its pool is not.
func (h *Host) addTotals(r *Report) {
	h.mu.Lock()
	asked := h.totals
	h.mu.Unlock()
	r.Totals = h.totalsOf(asked, *r)
	for _, t := range r.Totals {
		if t.Reason != "" {
			r.note(t.Layer, "for each connector alone; what all of a member have together is not limited, because "+t.Reason)
		}
	}
}
