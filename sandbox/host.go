package sandbox

import (
	"context"
	"errors"

	"go.uber.org/zap"
)

// Options of a Host.
type Options struct {
	StateDir    string      // names our control groups: two daemons never meet in one. Required
	InitPath    string      // majordomo-init; "" = beside the running program, and where it is not there, the program itself
	Driver      string      // "native" or "none"; "" = native
	IUnderstand bool        // must be set for the driver none, which confines nothing
	Required    []Layer     // layers without which no Spec is started
	Log         *zap.Logger // nil = silent
}

// Host starts sandboxes on this machine. It is safe for concurrent use.
type Host struct{}

// New probes, by trying, what this machine can enforce. It fails only where even that cannot be found out, or the options make
// no sense; a machine that can enforce too little is reported by Report and refused by Start.
func New(o Options) (*Host, error) {
	return nil, errors.New("cannot open the sandbox host: not built yet")
}

// Report says what this machine can enforce.
func (h *Host) Report() Report { return Report{} }

// Start confines and starts a process. The error names the layer that failed and why; nothing is left behind then. ctx bounds
// the start only.
func (h *Host) Start(ctx context.Context, s Spec) (*Process, error) {
	return nil, errors.New("not built yet")
}

// Sweep kills what an earlier daemon of the same state directory left in its control groups. Call it before the first Start.
func (h *Host) Sweep(ctx context.Context) error { return nil }

// Close kills every process of the Host and returns when they are gone.
func (h *Host) Close() error { return nil }
