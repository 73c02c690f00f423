package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/containerd/cgroups/v3/cgroup2"
)

// leaf is the group that the daemon moves itself into on v2, inside the base group.
const leaf = "daemon"

// unified makes groups in the cgroup2 hierarchy.
type unified struct {
	own     place
	base    string
	enabled []string // controllers that limit the groups; none on a hybrid host
}

// newUnified makes the base group.
func newUnified(own place, base string) (*unified, error) {
	// A daemon that was started from the leaf of one with the same state directory belongs beside it, not below.
	own.group = filepath.Join("/", strings.TrimSuffix(own.group, "/"+base+"/"+leaf))
	v := &unified{own: own, base: base}
	if err := os.Mkdir(v.dir(""), 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return v, nil
}

// dir returns the directory of a group; of the base group when name is empty.
func (v *unified) dir(name string) string { return filepath.Join(v.own.dir(), v.base, name) }

func (v *unified) make(name string, l Limits) error {
	base, err := cgroup2.Load(filepath.Join(v.own.group, v.base), cgroup2.WithMountpoint(v.own.mount))
	if err != nil {
		return err
	}
	// Without resources: with them the library would switch controllers on in every group above ours.
	group, err := base.NewChild(name, nil)
	if err != nil {
		return err
	}
	return group.Update(v.resources(name, l))
}

func (v *unified) resources(name string, l Limits) *cgroup2.Resources {
	r := &cgroup2.Resources{}
	if l.Memory > 0 && slices.Contains(v.enabled, "memory") {
		zero, all := int64(0), true
		r.Memory = &cgroup2.Memory{Max: &l.Memory, OOMGroup: &all} // a tree that lost one process is killed whole
		if exists(filepath.Join(v.dir(name), "memory.swap.max")) {
			r.Memory.Swap = &zero
		}
	}
	if l.Pids > 0 && slices.Contains(v.enabled, "pids") {
		r.Pids = &cgroup2.Pids{Max: int64(l.Pids)}
	}
	if l.CPU > 0 && slices.Contains(v.enabled, "cpu") {
		quota, period := cpuQuota(l.CPU)
		r.CPU = &cgroup2.CPU{Max: cgroup2.NewCPUMax(&quota, &period)}
	}
	return r
}

// makeRoom empties the daemon's own group of processes, which must hold none before a controller is switched on for its children: the
// daemon steps aside into the leaf. Where others live in the group it stays: to switch pids on all the same would be let through, and
// turn the groups below into ones that no process can be put into.
func (v *unified) makeRoom() error {
	if !exists(filepath.Join(v.own.dir(), "cgroup.type")) {
		return nil // the root of the hierarchy, which may hold anything
	}
	pids, err := readPids(v.own.dir())
	if err == nil && slices.Contains(pids, os.Getpid()) {
		if err = v.stepAside(); err == nil {
			pids, err = readPids(v.own.dir())
		}
	}
	if err == nil && len(pids) > 0 {
		v.stepBack()
		err = fmt.Errorf("%d other processes share the daemon's group %s", len(pids), v.own.group)
	}
	return err
}

// enable switches one controller on for the groups below the base group.
func (v *unified) enable(controller string) error {
	if has, err := hasWord(filepath.Join(v.own.dir(), "cgroup.controllers"), controller); err != nil || !has {
		return errors.Join(err, fmt.Errorf("the controller %s is not delegated to %s", controller, v.own.group))
	}
	for _, dir := range []string{v.own.dir(), v.dir("")} {
		if err := switchOn(dir, []string{controller}); err != nil {
			return err
		}
	}
	v.enabled = append(v.enabled, controller)
	return nil
}

// try makes and removes a group with every limit that is enabled.
func (v *unified) try(name string) error {
	err := v.make(name, trial())
	if err == nil {
		var kind []byte
		if kind, err = os.ReadFile(filepath.Join(v.dir(name), "cgroup.type")); strings.TrimSpace(string(kind)) != "domain" {
			err = errors.Join(err, fmt.Errorf("groups below %s are of type %q and cannot hold processes", v.own.group, kind))
		}
	}
	return errors.Join(err, remove(v.dir(name)))
}

func (v *unified) stepAside() error {
	if err := os.Mkdir(v.dir(leaf), 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return movePid(v.dir(leaf), os.Getpid())
}

func (v *unified) stepBack() {
	_ = movePid(v.own.dir(), os.Getpid()) // it came from there
	_ = os.Remove(v.dir(leaf))
}

func hasWord(file, word string) (bool, error) {
	b, err := os.ReadFile(file)
	return slices.Contains(strings.Fields(string(b)), word), err
}
