package cgroup

import (
	"errors"
	"maps"
	"slices"

	"golang.org/x/sys/unix"
)

// Missing is one limit that this host does not enforce.
type Missing struct {
	Limit  string // memory, pids or cpu
	Reason string
	Fix    string // what a person can do about it
}

// Report says what a Manager can enforce. It is decided once, by trying.
type Report struct {
	Mode    string    // v1, hybrid, v2 or none: what the host has, whether or not it lets us
	InForce []string  // of memory, pids, cpu
	Missing []Missing // the others
	Kill    bool      // Group.Kill ends whole trees
}

// Report says what is in force.
func (m *Manager) Report() Report { return m.report }

// probe makes and removes one group per limit, in whichever hierarchy has the controller.
func (m *Manager) probe() {
	m.report.Mode = m.lay.mode()
	var noV2 error
	if m.lay.v2 != nil {
		m.v2, noV2 = newUnified(*m.lay.v2, m.base)
	}
	all := &legacy{places: m.lay.v1, base: m.base}
	works := map[string]place{}
	for _, limit := range limits() {
		var err error
		p, v1 := m.lay.v1[limit]
		switch {
		case v1:
			if err = all.with(limit).try("probe-" + m.run); err == nil {
				works[limit] = p
			}
		case m.v2 != nil:
			err = m.v2.enable(limit)
		case noV2 != nil:
			err = noV2
		default:
			err = errNotMounted
		}
		if err == nil {
			m.report.InForce = append(m.report.InForce, limit)
		} else {
			m.report.Missing = append(m.report.Missing, Missing{Limit: limit, Reason: err.Error(), Fix: fix(err)})
		}
	}
	if len(works) > 0 {
		m.v1 = &legacy{places: works, base: m.base}
	}
	m.report.Kill = m.v1 != nil || m.v2 != nil
}

var errNotMounted = errors.New("no control group hierarchy with this controller is mounted")

func (v *legacy) try(name string) error {
	err := v.make(name, Limits{Memory: 64 << 20, Pids: 64, CPU: 1})
	for dir := range maps.Values(v.dirs(name)) {
		err = errors.Join(err, remove(dir))
	}
	return err
}

// fix says what to do about a limit that cannot be had.
func fix(err error) string {
	switch {
	case errors.Is(err, errNotMounted):
		return "boot with the controller enabled (cgroup_enable=memory on some boards) and mount /sys/fs/cgroup"
	case errors.Is(err, unix.EROFS):
		return "the host is a container with /sys/fs/cgroup read-only: limit the container itself, or mount it writable with --cgroupns=private"
	case slices.ContainsFunc([]error{unix.EACCES, unix.EPERM}, func(e error) bool { return errors.Is(err, e) }):
		return "run the daemon as a system service, or as a user service with Delegate=yes"
	}
	return "run the daemon as a service of its own with Delegate=yes"
}
