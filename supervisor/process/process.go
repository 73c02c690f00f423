// Package process answers with a connector in a sandbox: it turns a plan of the
// core into a Spec, starts it, and opens an MCP session over its pipes.
//
//	Plan ─ home: the member's directory, made safely ─┐
//	     ─ spec: mounts, environment, interpreter ────┴─▶ sandbox.Start ─▶ stderr drained, mcpclient.Open ─▶ Running
//
// It must never follow anything a connector wrote, never show a connector more
// than its own directory, its package and its tree, and never put a value into
// argv. A started connector owns two goroutines, one that drains its standard
// error and one that watches over its end; both are gone when Done is closed.
package process

import (
	"cmp"
	"context"
	"sync/atomic"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/deps/delivery"
	"majordomo/deps/inside"
	"majordomo/install/turns"
	"majordomo/mcpclient/frame"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
)

// Starter starts one sandboxed process; *sandbox.Host does.
type Starter interface {
	Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error)
}

// Chooser says how what a connector runs gets to it; *delivery.Deliverer does.
type Chooser interface {
	Choose(ctx context.Context) delivery.Choice
}

// mounted is the Chooser of who did not name one.
type mounted struct{}

func (mounted) Choose(context.Context) delivery.Choice { return delivery.Choice{Way: delivery.Bind} }

// Options of a Launcher.
type Options struct {
	Paths    configs.Paths
	Sandbox  Starter
	Runtimes *runtimes.Finder // nil = one of its own
	Delivery Chooser          // nil = everything is mounted
	Limits   sandbox.Limits   // of each instance
	Messages Messages
	Version  string      // told to connectors as ours
	Environ  []string    // whose proxies connectors are told of that may reach them; nil = of none
	Log      *zap.Logger // nil = silent
}

// Messages bounds what connectors send.
type Messages struct {
	One int64            // bytes of the longest message of a connector; 0 = 32 MiB
	Of  map[string]int64 // the same by connector id, where it differs
	All int64            // bytes of all large messages under way; 0 = 256 MiB
}

// Launcher is the core's Launcher. It is safe for concurrent use.
type Launcher struct {
	o      Options
	limits atomic.Pointer[sandbox.Limits] // of the next start
	sizes  atomic.Pointer[Messages]       // the same
	budget *frame.Budget
	eras   eras
	marks  marks
	places turns.Turns[string] // by the connector's directory: a check may be run while an instance starts
}

// New makes a Launcher; it touches nothing.
func New(o Options) *Launcher {
	o.Runtimes = cmp.Or(o.Runtimes, &runtimes.Finder{})
	if o.Delivery == nil {
		o.Delivery = mounted{}
	}
	o.Version = cmp.Or(o.Version, "dev")
	o.Log = cmp.Or(o.Log, zap.NewNop())
	l := &Launcher{o: o, budget: frame.NewBudget(0)}
	l.SetLimits(o.Limits)
	l.SetMessages(o.Messages)
	return l
}

// Budget is what bounds the large messages of all connectors, for those who hold
// some of them on their way.
func (l *Launcher) Budget() *frame.Budget { return l.budget }

// SetLimits sets the limits of processes that are started from now on.
func (l *Launcher) SetLimits(limits sandbox.Limits) {
	limits.Memory = cmp.Or(limits.Memory, inside.DefaultMemory)
	l.limits.Store(&limits)
}

// SetMessages bounds all messages together at once, and single ones of processes
// that are started from now on.
func (l *Launcher) SetMessages(m Messages) {
	l.budget.SetLimit(cmp.Or(m.All, 256<<20))
	l.sizes.Store(&m)
}

// longest is how long a message of a connector may be; 0 = what is usual.
func (l *Launcher) longest(connector string) int {
	m := l.sizes.Load()
	return int(cmp.Or(m.Of[connector], m.One))
}
