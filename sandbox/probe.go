package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// probeTime bounds one trial.
const probeTime = 10 * time.Second

// probe finds out what this machine gives, by starting a sandbox with everything and, where that fails, by trying each namespace
// alone and then a sandbox with those that work.
func (h *Host) probe() {
	h.clone = allNamespaces()
	report, err := h.trial(h.clone)
	if err != nil && h.confines() {
		var refused map[Layer]string
		h.clone, refused = h.tryEach()
		report, err = h.retry(refused)
	}
	h.report = report
	if err == nil {
		return
	}
	if !errors.As(err, &h.refusal) {
		h.refusal = &StartError{Reason: err.Error()}
	}
}

// allNamespaces is what every sandbox gets where the kernel gives it.
func allNamespaces() (clone uintptr) {
	for _, n := range namespaces {
		clone |= n.flag
	}
	if os.Geteuid() != 0 {
		clone |= unix.CLONE_NEWUSER
	}
	return clone
}

// trial confines an init that is then let go: everything but the connector itself is real.
func (h *Host) trial(clone uintptr) (Report, error) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	s := Spec{Name: "probe", Argv: []string{"true"}, Dir: "/", UID: nobody, GID: nobody, Network: NetworkOpen}.withOwnIDs()
	p, err := h.launch(ctx, s, clone)
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

// retry tries again without the namespaces that are refused, unless one of them is needed.
func (h *Host) retry(refused map[Layer]string) (Report, error) {
	for _, l := range []Layer{MountView, PIDs, Net} {
		if reason, ok := refused[l]; ok {
			err := &StartError{Layer: l, Reason: reason, Fix: fix(l)}
			return h.hopeless(err, refused), err
		}
	}
	report, err := h.trial(h.clone)
	if err != nil {
		return h.hopeless(err, refused), err
	}
	return report, nil
}

// hopeless is the report of a machine on which nothing can be started.
func (h *Host) hopeless(err error, refused map[Layer]string) Report {
	f := findings{reasons: map[Layer]string{}}
	for _, l := range Layers() {
		f.reasons[l] = fmt.Sprintf("not tried: %v", err)
	}
	for l, reason := range refused {
		f.reasons[l] = reason
	}
	var failed *StartError
	if errors.As(err, &failed) && failed.Layer != "" {
		f.reasons[failed.Layer] = failed.Reason
	}
	f.addLimits(h.groups.Report())
	return f.report(h.driver())
}
