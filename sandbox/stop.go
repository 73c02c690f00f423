package sandbox

import (
	"cmp"
	"context"
	"time"

	"majordomo/sandbox/initproc"
)

// Grace is how long each step of Stop waits. A zero field takes the default.
type Grace struct {
	Stdin time.Duration // after closing stdin, 3 s
	Term  time.Duration // after SIGTERM, 2 s
	Kill  time.Duration // after the kill, for the kernel to let go, 10 s; the end of a context does not shorten it
}

// Stage is how far Stop had to go.
type Stage string

const (
	StageGone  Stage = "gone"  // it had exited before
	StageStdin Stage = "stdin" // it left when its stdin was closed
	StageTerm  Stage = "term"  // it left on SIGTERM
	StageKill  Stage = "kill"  // it was killed
	StageStuck Stage = "stuck" // it was killed, and is still there: a disk or a network mount that hangs holds it in the kernel
)

const killTime = 10 * time.Second

// Stop ends the process: close stdin, wait, SIGTERM, wait, kill everything. It returns when nothing of the tree is left, unless it is
// stuck: then Done is closed when the kernel lets go. It may be called more than once and from several goroutines, which all get the answer of the first. When the first one's ctx ends,
// the rest of the grace is skipped.
func (p *Process) Stop(ctx context.Context, g Grace) Stage {
	p.stopping.Do(func() { p.stage = p.end(ctx, g) })
	return p.stage
}

func (p *Process) end(ctx context.Context, g Grace) Stage {
	if p.gone(ctx, 0) {
		return StageGone
	}
	_ = p.Stdin.Close() // it may be closed already
	if p.gone(ctx, cmp.Or(g.Stdin, 3*time.Second)) {
		return StageStdin
	}
	_ = p.control.request(initproc.Term) // it may be gone: then the next line sees it
	if p.gone(ctx, cmp.Or(g.Term, 2*time.Second)) {
		return StageTerm
	}
	p.Kill()
	if p.gone(context.Background(), cmp.Or(g.Kill, killTime)) {
		return StageKill
	}
	return StageStuck
}

// gone waits up to d for the process to end.
func (p *Process) gone(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	select { // both may have been ready
	case <-p.done:
		return true
	default:
		return false
	}
}

// Kill ends the whole tree at once, from outside its reach. It does not wait.
func (p *Process) Kill() {
	select {
	case <-p.done:
		return // the group is removed
	default:
	}
	switch {
	case p.proc == nil:
	case p.byUID: // the init knows which processes of the uid are its own; if it does not answer all are ended, see cleanUp
		_ = p.control.request(initproc.End)
		time.AfterFunc(time.Second, func() { _ = p.proc.Kill() })
	default:
		_ = p.proc.Kill() // pid 1 of its namespace: the kernel kills the rest
	}
	if p.group != nil {
		_ = p.group.Kill()
	}
}
