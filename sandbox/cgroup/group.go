package cgroup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"go.uber.org/zap"
)

// Group holds one process tree. It is safe for concurrent use, but for Remove, which is the last call.
type Group struct {
	name string
	v1   map[string]string // directories by controller, empty on v2
	home map[string]string // the daemon's own
	v2   string            // directory, empty on v1
	fd   *os.File          // of v2
	log  *zap.Logger

	pool     *pool       // nil = it is in none
	leave    func()      // the pool, once; nil = it is in none
	fromPool atomic.Bool // what a Watch heard last was lack of memory of the pool
}

// FD returns an open cgroup v2 directory for SysProcAttr.CgroupFD, valid until Remove; ok is false where there is none (v1).
// A child started with it is born inside. Where clone3 is not available, start without it and use Add.
func (g *Group) FD() (fd int, ok bool) {
	if g.fd == nil {
		return -1, false
	}
	return int(g.fd.Fd()), true
}

// Enter moves the calling OS thread into the group's v1 hierarchies, so that a child it starts is born inside their limits
// at no cost (moving a process afterwards takes some 10 ms). The caller holds runtime.LockOSThread, and calls leave right after
// the start; if leave fails, the thread must end with its goroutine, still locked. On v2 both do nothing.
// The usual order: FD into SysProcAttr, Enter, start, leave.
func (g *Group) Enter() (leave func() error, err error) {
	home, err := openTasks(g.home) // first: a thread that could not come back would be killed with the group, and the daemon with it
	if err != nil {
		return nil, fmt.Errorf("cannot enter the control group %s: %w", g.name, err)
	}
	leave = func() error {
		defer home.close()
		return home.moveThread()
	}
	inside, err := openTasks(g.v1)
	if err == nil {
		defer inside.close()
		err = inside.moveThread()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot enter the control group %s: %w", g.name, errors.Join(err, leave()))
	}
	return leave, nil
}

// Add moves a running process into every hierarchy of the group. Slow on v1; the fallback for where FD or Enter cannot be used.
func (g *Group) Add(pid int) error {
	for _, dir := range g.v1 {
		if err := movePid(dir, pid); err != nil {
			return fmt.Errorf("cannot add process %d to the control group %s: %w", pid, g.name, err)
		}
	}
	if g.v2 == "" {
		return nil
	}
	if err := movePid(g.v2, pid); err != nil {
		return fmt.Errorf("cannot add process %d to the control group %s: %w", pid, g.name, err)
	}
	return nil
}

// Kill sends SIGKILL to every process in the group, also to those that fork meanwhile. It does not wait.
func (g *Group) Kill() error {
	var err error
	switch {
	case g.v2 != "":
		err = killUnified(g.v2)
	case len(g.v1) > 0:
		err = killLegacy(g.anyV1())
	}
	if err != nil {
		return fmt.Errorf("cannot kill the control group %s: %w", g.name, err)
	}
	return nil
}

// Wait returns when no process is left in the group, or ctx ends.
func (g *Group) Wait(ctx context.Context) error {
	var err error
	switch {
	case g.v2 != "":
		err = waitUnified(ctx, g.v2)
	case len(g.v1) > 0:
		err = waitLegacy(ctx, g.anyV1())
	}
	if err != nil {
		return fmt.Errorf("cannot wait for the control group %s to be empty: %w", g.name, err)
	}
	return nil
}

// Remove closes FD and removes the group. It fails while a process is left in it; Wait says when none is.
func (g *Group) Remove() error {
	if g.fd != nil {
		_ = g.fd.Close()
	}
	var errs []error
	for _, dir := range g.v1 {
		errs = append(errs, remove(dir))
	}
	if g.v2 != "" {
		errs = append(errs, remove(g.v2))
	}
	if g.leave != nil {
		g.leave()
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("cannot remove the control group %s: %w", g.name, err)
	}
	return nil
}

// anyV1 returns the directory to kill by.
func (g *Group) anyV1() string {
	for _, controller := range killers() {
		if dir, ok := g.v1[controller]; ok {
			return dir
		}
	}
	return ""
}

// killers are the v1 controllers in the order in which they serve to kill a tree: pids can stop forks.
func killers() []string { return []string{"pids", "memory", "cpu"} }

func remove(dir string) error {
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
