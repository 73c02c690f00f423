package deps

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"majordomo/deps/declared"
	"majordomo/sandbox/runtimes"
)

// Builder builds trees. It is safe for concurrent use, and two daemons may build in one state directory.
type Builder struct {
	o        Options
	warm     memory
	failures failures
	intact   intact
	uids     uids

	mu      sync.Mutex
	flights map[string]*flight // by key
}

// New makes a Builder; it touches nothing.
func New(o Options) *Builder {
	o.Timeout = cmp.Or(o.Timeout, 300*time.Second)
	o.UID = cmp.Or(o.UID, DefaultUID)
	o.Limits.Memory = cmp.Or(o.Limits.Memory, 2<<30)
	o.Limits.Pids = cmp.Or(o.Limits.Pids, 1024)
	o.Limits.CPU = cmp.Or(o.Limits.CPU, float64(max(1, runtime.NumCPU()-1))) // who calls a tool meanwhile gets an answer
	o.Disk = cmp.Or(o.Disk, 4<<30)
	o.Limits.Files = cmp.Or(o.Limits.Files, 16384)
	o.Runtimes = cmp.Or(o.Runtimes, &runtimes.Finder{})
	o.Log = cmp.Or(o.Log, zap.NewNop())
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	return &Builder{o: o, flights: map[string]*flight{}}
}

// Recover removes what an earlier daemon left half-built, and trees that nobody will ask for any more. Call it when what is
// installed is known, and before the first Ensure and the first start: no connector may run. What another process is
// building at this moment is left alone. Removing large trees takes time: it stops between two of them when ctx ends.
func (b *Builder) Recover(ctx context.Context) error {
	left, err := filepath.Glob(filepath.Join(b.o.Paths.Deps(), "*"+partialSuffix))
	for _, partial := range left {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		file, lockErr := tryLock(strings.TrimSuffix(partial, partialSuffix) + lockSuffix)
		if errors.Is(lockErr, unix.EWOULDBLOCK) {
			continue
		}
		if lockErr == nil {
			lockErr = Remove(partial)
			os.Remove(file.Name())
			file.Close()
		}
		err = errors.Join(err, lockErr)
	}
	return errors.Join(err, b.prune(ctx))
}

// Ensure returns the tree with p's dependencies, and builds it first where it has to; a package without dependencies gets
// the zero Tree. An unchanged package costs microseconds and starts nothing. Callers with the same package share one
// build, which is ended when the last of them is gone: when ctx ends, Ensure returns its error after that. progress is
// called from the caller's goroutine while it waits, with nothing locked: one that blocks holds up nobody else. It may be nil.
//
// Errors are *InstallError, whose message is for people. A try that fails is not repeated at once unless p.Force.
func (b *Builder) Ensure(ctx context.Context, p Package, progress func(Event)) (Tree, error) {
	if !declared.Any(p.Files) {
		return Tree{}, nil
	}
	if tree, ok := b.unchanged(ctx, p); ok {
		return tree, nil
	}
	before := snapshot(p)
	pl, err := b.plan(ctx, p)
	if err != nil {
		return Tree{}, b.failed(ctx, p, err)
	}
	tree, err := b.ensure(ctx, pl, progress)
	if err == nil {
		b.warm.remember(p, before, pl, tree)
	}
	return tree, err
}

func (b *Builder) ensure(ctx context.Context, pl *plan, progress func(Event)) (Tree, error) {
	if pl.key == "" {
		return Tree{}, nil
	}
	if tree, ok := b.open(pl); ok {
		return tree, nil
	}
	if err := b.failures.recent(pl.key); err != nil && !pl.pkg.Force {
		return Tree{}, err
	}
	return b.join(ctx, pl, progress)
}

// failed words an error from before the build.
func (b *Builder) failed(ctx context.Context, p Package, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &InstallError{Connector: p.ID, Phase: "prepare", Limit: b.o.Timeout, Err: err}
}
