package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"go.uber.org/zap"
)

// pools are the groups that hold those of one pool together, each made for the first of them and removed with the last.
type pools struct {
	mu     sync.Mutex // protects the fields below, also while files are written: a pool is made once, whoever comes meanwhile
	totals Limits     // of each pool
	byName map[string]*pool
}

// pool is the parent of groups. It holds no process.
type pool struct {
	name, path string // path is below the base group
	dirs       []hold
	groups     int
	totals     atomic.Pointer[Limits] // as they were set last
}

// hold is where the limits of some controllers are kept.
type hold struct {
	dir         string
	controllers []string
	unified     bool
}

// SetTotals changes what each pool may have together, of those that are there too. What cannot be changed now, because more than that is
// used or groups in the pool are allowed more, is tried again with each New in the pool; the error names the pools.
func (m *Manager) SetTotals(l Limits) error {
	m.pools.mu.Lock()
	defer m.pools.mu.Unlock()
	m.pools.totals = l
	var errs []error
	for _, p := range m.pools.byName {
		errs = append(errs, p.set(l))
	}
	return errors.Join(errs...)
}

// join counts one more group of a pool and makes it for the first.
func (m *Manager) join(name string) (*pool, error) {
	m.pools.mu.Lock()
	defer m.pools.mu.Unlock()
	p := m.pools.byName[name]
	if p == nil {
		p = &pool{name: name, path: fmt.Sprintf("%s-%s-%d", clean(name), m.run, m.count.Add(1))}
		if err := m.makePool(p, m.pools.totals); err != nil {
			p.remove()
			return nil, err
		}
		if m.pools.byName == nil {
			m.pools.byName = map[string]*pool{}
		}
		m.pools.byName[name] = p
	} else if err := p.set(m.pools.totals); err != nil {
		m.log.Warn("the totals of a pool are not all in force yet", zap.String("pool", name), zap.Error(err))
	}
	p.groups++
	return p, nil
}

// leave takes one group off a pool and removes it with the last. A pool that cannot be removed, as with a process that is stuck in it, is not
// used again, and swept at the next start.
func (m *Manager) leave(p *pool) {
	m.pools.mu.Lock()
	defer m.pools.mu.Unlock()
	if p.groups--; p.groups == 0 {
		p.remove()
		delete(m.pools.byName, p.name)
	}
}

// makePool makes a pool in every hierarchy that is in use.
func (m *Manager) makePool(p *pool, totals Limits) error {
	if m.v1 != nil {
		for controller, dir := range m.v1.dirs(p.path) {
			p.dirs = append(p.dirs, hold{dir: dir, controllers: []string{controller}})
		}
	}
	if m.v2 != nil {
		p.dirs = append(p.dirs, hold{dir: m.v2.dir(p.path), controllers: m.v2.enabled, unified: true})
	}
	for _, h := range p.dirs {
		if err := h.make(); err != nil {
			return err
		}
	}
	return p.set(totals)
}

// make makes the directory and has its limits hold for those below it.
func (h hold) make() error {
	if err := os.Mkdir(h.dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) { // controllers may share a hierarchy
		return err
	}
	if h.unified {
		return switchOn(h.dir, h.controllers)
	}
	sums := filepath.Join(h.dir, "memory.use_hierarchy") // always on since 5.11
	if was, err := os.ReadFile(sums); err != nil || strings.TrimSpace(string(was)) != "0" {
		return nil
	}
	return os.WriteFile(sums, []byte("1"), 0)
}

// switchOn lets the groups below a directory have limits of these controllers.
func switchOn(dir string, controllers []string) error {
	for _, c := range controllers {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+"+c), 0); err != nil {
			return err
		}
	}
	return nil
}

// set puts totals into force, as far as they are not and can be.
func (p *pool) set(totals Limits) error {
	now := p.total()
	if now == totals {
		return nil
	}
	var errs []error
	for _, h := range p.dirs {
		for _, controller := range h.controllers {
			if err := h.set(controller, totals); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", controller, err))
				continue
			}
			now.take(controller, totals)
		}
	}
	p.totals.Store(&now)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("cannot set the totals of the pool %s: %w", p.name, err)
	}
	return nil
}

// take takes over one limit.
func (l *Limits) take(controller string, from Limits) {
	switch controller {
	case "memory":
		l.Memory = from.Memory
	case "pids":
		l.Pids = from.Pids
	case "cpu":
		l.CPU = from.CPU
	}
}

// total is what the pool has been given.
func (p *pool) total() (l Limits) {
	if set := p.totals.Load(); set != nil {
		l = *set
	}
	return l
}

func (p *pool) remove() {
	for _, h := range p.dirs {
		_ = remove(h.dir)
	}
}
