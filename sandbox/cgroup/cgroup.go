// Package cgroup gives each start of a connector a fresh control group: limits on memory, pids and cpu, whole-tree kill, and
// the count of out-of-memory kills. It works on cgroup v1, hybrid and v2 hosts, and says by name what a host cannot give.
//
//	v1      limits from v1, kill by signal
//	hybrid  limits from v1; membership and kill from the unified hierarchy, which holds no controllers
//	v2      everything from v2, below a group delegated to the daemon
//
// All groups live in one base group, majordomo-<hash of the state directory>, under the daemon's own group. Groups of one pool have a
// parent, which holds what all of them together may have:
//
//	<the daemon's group>/majordomo-0123456789ab/<name>-<run>-<number>
//	<the daemon's group>/majordomo-0123456789ab/<pool>-<run>-<number>/<name>-<run>-<number>
//
// It must never change a group outside the base group, never put a process into a group that has groups in it, never use a group again, and
// never say that a limit is in force which was not tried here. It knows nothing of what runs in a group. The package starts no goroutine.
package cgroup

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"go.uber.org/zap"
)

// Options says where groups go.
type Options struct {
	StateDir string      // names the base group: two daemons with different state directories never meet. Required
	Totals   Limits      // of all groups of one pool together, see SetTotals
	Log      *zap.Logger // nil = silent
}

// Limits of one group. Zero fields are not limited.
type Limits struct {
	Memory int64   // bytes, swap included: a group cannot escape into swap
	Pids   int     // processes and threads
	CPU    float64 // cores
}

// Manager makes groups. It is safe for concurrent use.
type Manager struct {
	base   string // name of the base group
	run    string // tells the groups of this daemon from those of an earlier one
	count  atomic.Uint64
	v1     *legacy  // nil = no v1 controller that works
	v2     *unified // nil = no cgroup2 group of our own
	pools  pools
	lay    layout
	report Report
	log    *zap.Logger
}

// Open finds the daemon's own place in the cgroup hierarchies, makes the base group there and tries each limit for real. On v2 it may
// move the daemon into a leaf of its own, since a group with limited children holds no process. A host that gives nothing is not an error: the
// Report says so and New returns groups that hold nothing.
func Open(o Options) (*Manager, error) {
	if o.StateDir == "" {
		return nil, errors.New("cannot open control groups: no state directory")
	}
	dir, err := filepath.Abs(o.StateDir)
	if err != nil {
		return nil, fmt.Errorf("cannot open control groups: %w", err)
	}
	lay, err := readLayout()
	if err != nil {
		return nil, fmt.Errorf("cannot open control groups: %w", err)
	}
	hash, run := sha256.Sum256([]byte(dir)), make([]byte, 4)
	_, _ = rand.Read(run) // never fails
	m := &Manager{base: "majordomo-" + hex.EncodeToString(hash[:6]), run: hex.EncodeToString(run), lay: lay, log: o.Log}
	if m.log == nil {
		m.log = zap.NewNop()
	}
	m.probe()
	m.pools.totals = o.Totals
	return m, nil
}

// Start is what one start of a connector wants of its group. The names are shown to people, and may hold any characters.
type Start struct {
	Name   string // the group has it with a number behind it
	Pool   string // groups with the same one have the totals together; "" = those of nobody
	Limits Limits
}

// New makes one group for one start. A group is never reused: the kernel kills whatever is born into a group that was killed.
func (m *Manager) New(s Start) (*Group, error) {
	g := &Group{name: fmt.Sprintf("%s-%s-%d", clean(s.Name), m.run, m.count.Add(1)), log: m.log}
	err := m.enroll(g, s.Pool)
	if err == nil {
		err = m.make(g, m.bounded(g, s.Limits))
	}
	if err != nil {
		_ = g.Remove()
		return nil, fmt.Errorf("cannot make the control group %s: %w", g.name, err)
	}
	return g, nil
}

// enroll puts the group to be made into its pool.
func (m *Manager) enroll(g *Group, name string) error {
	if name == "" || m.v1 == nil && m.v2 == nil {
		return nil
	}
	p, err := m.join(name)
	if err != nil {
		return err
	}
	g.name, g.pool, g.leave = filepath.Join(p.path, g.name), p, sync.OnceFunc(func() { m.leave(p) })
	return nil
}

// bounded are the limits of a group that does not go beyond the processor time that its pool has, or is to have once no group in it has more: v1
// refuses both.
func (m *Manager) bounded(g *Group, l Limits) Limits {
	if g.pool == nil {
		return l
	}
	m.pools.mu.Lock()
	defer m.pools.mu.Unlock()
	for _, total := range []float64{g.pool.total().CPU, m.pools.totals.CPU} {
		if total > 0 {
			l.CPU = min(cmp.Or(l.CPU, total), total)
		}
	}
	return l
}

func (m *Manager) make(g *Group, l Limits) error {
	if m.v1 != nil {
		g.v1, g.home = m.v1.dirs(g.name), m.v1.homes()
		if err := m.v1.make(g.name, l); err != nil {
			return err
		}
	}
	if m.v2 == nil {
		return nil
	}
	g.v2 = m.v2.dir(g.name)
	if err := m.v2.make(g.name, l); err != nil {
		return err
	}
	fd, err := os.Open(g.v2)
	g.fd = fd
	return err
}

// Close removes the base group where it is empty. Groups that were not removed stay, for the next daemon to sweep.
func (m *Manager) Close() error {
	for _, h := range m.hierarchies() {
		_ = os.Remove(h.base)
	}
	return nil
}

// clean keeps of a name what is fit for a directory.
func clean(name string) string {
	b := []byte(name)
	for i, c := range b {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			b[i] = '-'
		}
	}
	return string(b[:min(len(b), 100)])
}
