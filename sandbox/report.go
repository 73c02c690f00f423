package sandbox

import (
	"slices"
)

// Missing is a layer that is not in force, why, and what a person can do about it.
type Missing struct {
	Layer  Layer  `json:"layer"`
	Reason string `json:"reason"`
	Fix    string `json:"fix,omitempty"` // "" = nothing simple
}

// Report says which layers hold: of a Host, what it can enforce; of a Process, what was applied to it and seen in /proc.
// Every layer is in exactly one of the two lists.
type Report struct {
	Driver  string    `json:"driver"` // native, docker or none
	InForce []Layer   `json:"layers"`
	Missing []Missing `json:"missing"`
	Egress  string    `json:"egress,omitempty"` // what the layer egress lets out, for people; "" where it is not in force

	Notes map[Layer]string `json:"notes,omitempty"` // what is less than usual about a layer that is in force

	Totals []Total `json:"totals,omitempty"` // of a pool, those that were asked for
}

// Has reports whether a layer is in force.
func (r Report) Has(l Layer) bool { return slices.Contains(r.InForce, l) }

// holds reports whether a layer or what takes its place is in force.
func (r Report) holds(l Layer) bool {
	switch l {
	case MountView:
		return r.Has(MountView) || r.Has(Landlock)
	case UID:
		return r.Has(UID) || r.Has(NoNewPrivs)
	}
	return r.Has(l)
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
