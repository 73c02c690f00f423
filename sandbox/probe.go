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
// tries each alone; where it gives one that turns out to be of no use, as when nothing may be mounted in it, it does without that one.
func (h *Host) probe() {
	h.lacks = map[Layer]string{}
	if h.confines() {
		h.clone = allNamespaces()
	}
	if h.engine != nil {
		h.clone = containerNamespaces
		h.keepProbe(h.probeEngine())
		return
	}
	report, err := h.trial()
	if clone := new(cloneError); errors.As(err, &clone) && h.confines() {
		h.clone = h.tryEach()
		report, err = h.trial()
	}
	for err != nil && h.doWithout(err) {
		report, err = h.trial()
	}
	h.keepProbe(report, err)
}

// keepProbe keeps what a probe found out.
func (h *Host) keepProbe(report Report, err error) {
	var refusal *StartError
	switch {
	case err != nil:
		refusal = asStartError(err)
		refusal.Fix = cmp.Or(refusal.Fix, fixFor(h.driver(), refusal.Layer))
		report = h.nothingReport(refusal)
	case h.confines() && h.clone&unix.CLONE_NEWNET == 0 && !h.unrestricted():
		report.lose(Egress, "only connectors that need no network can be started here: "+h.lacking(Net), networkFix())
	}
	if noexec(h.options.StateDir) {
		report.note(MountView, "the state directory's file system lets nothing on it be executed (noexec): connectors with native code, and packages "+
			"that are built when they are installed, will fail; mount it without noexec, or choose another state directory")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.report, h.refusal, h.probed = report, refusal, time.Now()
}

// noexec reports whether programs and libraries in dir cannot be loaded. Views of it inside sandboxes are no different.
func noexec(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && s.Flags&unix.ST_NOEXEC != 0
}

// doWithout gives up the namespace that a trial failed in, and reports whether there was one.
func (h *Host) doWithout(err error) bool {
	failed, ok := errors.AsType[*StartError](err)
	for _, n := range namespaces {
		if !ok || n.layer != failed.Layer || h.clone&n.flag == 0 || n.layer == "" {
			continue
		}
		h.clone &^= n.flag
		h.lacks[n.layer] = failed.Reason
		if n.layer == MountView && h.clone&unix.CLONE_NEWNET != 0 { // the name server is found by a file of the view
			h.clone &^= unix.CLONE_NEWNET
			h.lacks[Net] = "there is no mount namespace to show its name server in: " + failed.Reason
		}
		if h.clone == unix.CLONE_NEWUSER { // gives nothing by itself
			h.clone = 0
		}
		return true
	}
	return false
}

// trial confines an init that is then let go: everything but the connector itself is real.
func (h *Host) trial() (Report, error) {
	if err := h.checkAlternatives(); err != nil {
		return Report{}, err
	}
	patience := probeTime
	if h.engine != nil {
		patience = startTime
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s := Spec{Name: "probe", Argv: []string{"true"}, Dir: "/", UID: nobody, GID: nobody, trial: true}.withOwnIDs()
	if h.clone&unix.CLONE_NEWNET != 0 || h.unrestricted() {
		s.Network = NetworkOpen
	}
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

// tryEach starts an init in one namespace at a time, and returns those that the kernel gives.
func (h *Host) tryEach() (clone uintptr) {
	user := allNamespaces() & unix.CLONE_NEWUSER
	for _, n := range namespaces {
		p := &Process{spec: Spec{Name: "probe", UID: nobody, GID: nobody}.withOwnIDs(), done: make(chan struct{})}
		err := h.spawn(p, user|n.flag)
		_ = p.abandon(context.Background(), errors.New("only a trial"))
		if err != nil {
			h.lacks[n.layer] = err.Error()
			continue
		}
		clone |= n.flag
	}
	if clone == 0 {
		return 0
	}
	if clone&unix.CLONE_NEWNS == 0 && clone&unix.CLONE_NEWNET != 0 {
		clone &^= unix.CLONE_NEWNET
		h.lacks[Net] = "there is no mount namespace to show its name server in: " + h.lacks[MountView]
	}
	return clone | user
}

// nothingReport is the report of a machine on which nothing can be started.
func (h *Host) nothingReport(refusal *StartError) Report {
	f := newFindings()
	for _, l := range Layers() {
		f.reasons[l] = "not tried, since no sandbox can be started here"
	}
	for l, reason := range h.lacks {
		f.reasons[l] = reason
	}
	if refusal.Layer != "" {
		f.reasons[refusal.Layer] = refusal.Reason
	}
	if h.engine == nil {
		f.addLimits(h.groups.Report())
	}
	return f.report(h.driver())
}
