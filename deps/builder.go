package deps

import (
	"context"
	"errors"
)

// Builder builds trees. It is safe for concurrent use, and two daemons may build in one state directory.
type Builder struct{ o Options }

// New makes a Builder; it touches nothing.
func New(o Options) *Builder { return &Builder{o: o} }

// Recover removes what an earlier daemon left half-built. Call it before the first Ensure.
func (b *Builder) Recover(ctx context.Context) error { return nil }

// Ensure returns the tree with p's dependencies, and builds it first where it has to; a package without dependencies gets
// the zero Tree. An unchanged package costs microseconds and starts nothing. Callers with the same package share one
// build, which is ended when the last of them is gone: when ctx ends, Ensure returns its error after that. progress is
// called from one goroutine at a time and may be nil.
//
// Errors are *InstallError, whose message is for people. A try that fails is not repeated at once unless p.Force.
func (b *Builder) Ensure(ctx context.Context, p Package, progress func(Event)) (Tree, error) {
	return Tree{}, errors.New("cannot build dependencies: not built yet")
}

// Reachable asks the registries that npm and pip are configured for whether they answer, from here, outside every
// sandbox: keys "npm" and "pip", nil = it answers. It takes ten seconds at most.
func (b *Builder) Reachable(ctx context.Context) map[string]error { return nil }
