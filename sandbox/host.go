package sandbox

import (
	"context"
	"errors"
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
