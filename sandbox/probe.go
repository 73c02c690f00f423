package sandbox

import (
	"cmp"
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// probeTime bounds one trial.
const probeTime = 10 * time.Second

// probe finds out what this machine gives, by starting a sandbox with everything. Where the kernel refuses the namespaces it
// tries each alone, and then a sandbox with those that work.
func (h *Host) probe() {
	if h.confines() {
		h.clone = allNamespaces()
	}
	var refused map[Layer]string
	report, err := h.trial()
	if clone := new(cloneError); errors.As(err, &clone) && h.confines() {
		h.clone, refused = h.tryEach()
		if err = needed(refused); err == nil {
			report, err = h.trial()
		}
	}
	if err != nil {
		h.refusal = asStartError(err)
		h.refusal.Fix = cmp.Or(h.refusal.Fix, fix(h.refusal.Layer))
		report = h.hopeless(refused)
	}
	h.report = report
}

// needed is why the namespaces that remain are not enough, or nil.
func needed(refused map[Layer]string) error {
	for _, l := range []Layer{MountView, PIDs, Net} {
		if reason, ok := refused[l]; ok {
			return &StartError{Layer: l, Reason: reason, Fix: fix(l)}
		}
	}
	return nil
}

// trial confines an init that is then let go: everything but the connector itself is real.
func (h *Host) trial() (Report, error) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	s := Spec{Name: "probe", Argv: []string{"true"}, Dir: "/", UID: nobody, GID: nobody, Network: NetworkOpen}.withOwnIDs()
	p, err := h.launch(ctx, s, h.clone)
	if err != nil {
		return Report{}, err
	}
	report := p.report
	_ = p.abandon(ctx, errors.New("only a trial"))
	return report, nil
}

// nobody is the uid of trials, which run no program.
const nobody = 65534

// tryEach starts an init in one namespace at a time, and says which the kernel refuses.
func (h *Host) tryEach() (clone uintptr, refused map[Layer]string) {
	refused = map[Layer]string{}
	user := allNamespaces() & unix.CLONE_NEWUSER
	for _, n := range namespaces {
		p := &Process{spec: Spec{Name: "probe", UID: nobody, GID: nobody}.withOwnIDs(), done: make(chan struct{})}
		err := h.spawn(p, user|n.flag)
		_ = p.abandon(context.Background(), errors.New("only a trial"))
		if err != nil {
			refused[n.layer] = err.Error()
			continue
		}
		clone |= n.flag
	}
	return clone | user, refused
}

// hopeless is the report of a machine on which nothing can be started.
func (h *Host) hopeless(refused map[Layer]string) Report {
	f := newFindings()
	for _, l := range Layers() {
		f.reasons[l] = "not tried, since no sandbox can be started here"
	}
	for l, reason := range refused {
		f.reasons[l] = reason
	}
	if h.refusal.Layer != "" {
		f.reasons[h.refusal.Layer] = h.refusal.Reason
	}
	f.addLimits(h.groups.Report())
	return f.report(h.driver())
}
