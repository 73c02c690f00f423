// Package delivery decides how what a connector runs, its shipped files and its
// dependencies, gets to where it runs:
//
//	bind     mounted over its directory, read-only; nothing is copied
//	reflink  copied into its directory, where the copies share their blocks with the original
//	copy     copied
//
// The first that works here is taken. What is copied is compared before each start
// (supervisor/process), because the connector can replace it. It must never make a
// hard link: who writes to one name of a file writes to all. It starts no goroutines.
package delivery

import (
	"context"
	"fmt"
	"os"
	"sync"

	"majordomo/configs"
	"majordomo/sandbox"
)

// Way is how things are delivered.
type Way string

// The ways, best first.
const (
	Bind    Way = "bind"
	Reflink Way = "reflink"
	Copy    Way = "copy"
)

// Choice is the way that is taken on this host, and why no better one is.
type Choice struct {
	Way    Way
	Reason string // for people
}

// Host is what is asked of the sandbox; *sandbox.Host has it.
type Host interface {
	Ready() error // why nothing can be started yet
	Report() sandbox.Report
	Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error)
}

// Options of a Deliverer.
type Options struct {
	Paths configs.Paths
	Host  Host
	Force Way // for tests: this way, whatever works; "" = the best that does
}

// Deliverer is safe for concurrent use.
type Deliverer struct {
	o Options

	mu      sync.Mutex // protects the fields below; held while the host is probed
	choice  Choice
	cleared bool // what an earlier daemon left is gone; what lies there now may be under way
}

// New makes a Deliverer; it touches nothing.
func New(o Options) *Deliverer { return &Deliverer{o: o} }

// Choose says which way is taken. It finds that out once, by trying, which takes some
// milliseconds, and clears away what an earlier daemon left half copied. An answer
// that ctx cut short is not kept, nor is one from before anything can be started.
func (d *Deliverer) Choose(ctx context.Context) Choice {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.choice.Way != "" {
		return d.choice
	}
	if !d.cleared {
		_ = os.RemoveAll(d.o.Paths.Copies()) // what is left takes room and nothing else
		d.cleared = true
	}
	notYet := d.o.Host.Ready()
	c := d.best(ctx)
	if ctx.Err() == nil && notYet == nil {
		d.choice = c
	}
	return c
}

func (d *Deliverer) best(ctx context.Context) Choice {
	if d.o.Force != "" {
		return Choice{d.o.Force, "it was asked for"}
	}
	noBind := d.tryBind(ctx)
	if noBind == nil {
		return Choice{Bind, "the sandbox shows them read-only"}
	}
	noReflink := d.tryReflink()
	if noReflink == nil {
		return Choice{Reflink, noBind.Error()}
	}
	return Choice{Copy, fmt.Sprintf("%v; %v", noBind, noReflink)}
}
