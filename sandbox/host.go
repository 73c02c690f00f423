package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"go.uber.org/zap"

	"majordomo/sandbox/cgroup"
	"majordomo/sandbox/disk"
	"majordomo/sandbox/docker"
)

// Host starts sandboxes on this machine. It is safe for concurrent use.
type Host struct {
	options Options
	log     *zap.Logger
	init    program // what is executed as init
	groups  *cgroup.Manager
	starter *starter
	net     netSpare // the starter's
	disk    *disk.Watcher
	engine  *docker.Engine   // of the driver docker, or nil
	clone   uintptr          // the namespaces this machine gives
	lacks   map[Layer]string // why it does not give the others
	pause   time.Duration    // before an Engine that was of no use is looked at again
	looking chan struct{}    // held by whoever looks

	mu      sync.Mutex // protects the fields below
	report  Report
	refusal *StartError // why nothing can be started here, or nil
	probed  time.Time   // when that was found out
	totals  Totals      // that were asked for
	policy  Policy
	closed  bool
	live    map[*Process]bool
	uids    map[int]bool   // by which a tree is ended
	starts  sync.WaitGroup // under way; nothing is added once closed
}

// New probes, by trying, what this machine can enforce. It fails only where even that cannot be found out, or the options make
// no sense; a machine that can enforce too little is reported by Report and refused by Start.
func New(o Options) (*Host, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	h := &Host{options: o, log: o.Log, live: map[*Process]bool{}, uids: map[int]bool{}, totals: o.Totals, policy: Policy{o.Required, o.Network}, pause: enginePause, looking: make(chan struct{}, 1)}
	if h.log == nil {
		h.log = zap.NewNop()
	}
	var err error
	if h.groups, err = cgroup.Open(cgroup.Options{StateDir: o.StateDir, Totals: cgroup.Limits(o.Totals), Log: h.log}); err != nil {
		return nil, err
	}
	if h.engine, err = o.openEngine(); err != nil {
		return nil, errors.Join(err, h.groups.Close())
	}
	h.init = findInit()
	h.starter = newStarter()
	h.disk = disk.NewWatcher(disk.Options{Reserve: o.DiskReserve, Log: h.log})
	h.probe()
	return h, nil
}

func (h *Host) confines() bool { return h.options.Driver != "none" }

// Report says what this machine can enforce.
func (h *Host) Report() Report {
	h.mu.Lock()
	r, asked := h.report, h.totals
	h.mu.Unlock()
	r.Totals = h.totalsOf(asked, r)
	return r
}

// Ready says why nothing at all can be started on this machine, or nil. Where a Docker Engine was missing it looks again, which may take as
// long as a start.
func (h *Host) Ready() error {
	why := h.refused()
	if why != nil && h.enter() {
		defer h.starts.Done()
		why = h.usable(context.Background())
	}
	if why == nil {
		return nil
	}
	return why.of("a connector")
}

func (h *Host) refused() *StartError {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refusal
}

// Start confines and starts a process. The error is a *StartError, which names the layer that failed and why, or says what is
// wrong with the Spec; nothing is left behind then. ctx bounds the start only.
func (h *Host) Start(ctx context.Context, s Spec) (*Process, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("cannot start %q: %w", s.Name, err)
	}
	if !h.enter() {
		return nil, fmt.Errorf("cannot start %q: the sandbox host is closed", s.Name)
	}
	defer h.starts.Done()
	if why := h.usable(ctx); why != nil {
		return nil, why.of(s.Name)
	}
	p, err := h.launch(ctx, s.withOwnIDs(), h.clone)
	if err != nil {
		return nil, err
	}
	err = requireLayers(p.report, h.required(s))
	if err == nil {
		err = p.within(ctx, p.release)
	}
	if err != nil {
		return nil, p.abandon(ctx, err)
	}
	h.keep(p)
	h.starts.Add(1)
	go h.prepare()
	return p, nil
}

// keep looks after a process until its end.
func (h *Host) keep(p *Process) {
	h.mu.Lock()
	h.live[p] = true
	h.mu.Unlock()
	h.watchDisk(p)
	p.endWatch = h.watchOOM(p)
	go p.wait(func() { h.forget(p) })
}

// enter counts a start, unless the Host is closed.
func (h *Host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.starts.Add(1)
	}
	return !h.closed
}

// prepare has the next start's network made.
func (h *Host) prepare() {
	defer h.starts.Done()
	if h.engine == nil && spares(h.clone) {
		h.starter.do(h.net.make)
	}
}

func (h *Host) forget(p *Process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.live, p)
}

// withOwnIDs fills in the ids of an ordinary user's sandbox, which can only be the user's.
func (s Spec) withOwnIDs() Spec {
	if os.Geteuid() != 0 {
		s.UID, s.GID = os.Geteuid(), os.Getegid()
	}
	return s
}
