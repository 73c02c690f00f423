package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/containerd/cgroups/v3/cgroup2"
	"golang.org/x/sys/unix"
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

// enable switches one controller on for the groups below the base group. That needs two writes, and the daemon's own group must hold no
// process then: the daemon steps aside into the leaf.
func (v *unified) enable(controller string) error {
	if has, err := hasWord(filepath.Join(v.own.dir(), "cgroup.controllers"), controller); err != nil || !has {
		return errors.Join(err, fmt.Errorf("the controller %s is not delegated to %s", controller, v.own.group))
	}
	err := v.allow(v.own.dir(), controller)
	if errors.Is(err, unix.EBUSY) {
		if err = v.stepAside(); err == nil {
			err = v.allow(v.own.dir(), controller)
		}
		if err != nil {
			v.stepBack()
			return fmt.Errorf("other processes share the group %s: %w", v.own.group, err)
		}
	}
	if err == nil {
		err = v.allow(v.dir(""), controller)
	}
	if err == nil {
		v.enabled = append(v.enabled, controller)
	}
	return err
}

func (v *unified) allow(dir, controller string) error {
	return os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+"+controller), 0)
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
