package cgroup

import (
	"errors"
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
	NoPools string    // why the limits in force do not also hold for a pool together; "" = they do
	Kill    bool      // Group.Kill ends whole trees
}

// Report says what is in force.
func (m *Manager) Report() Report { return m.report }

// probe tries every limit in whichever hierarchy has its controller.
func (m *Manager) probe() {
	m.report.Mode = m.lay.mode()
	missing := m.probeV1()
	for limit, err := range m.probeV2() {
		missing[limit] = err
	}
	for _, limit := range limits() {
		if err := missing[limit]; err != nil {
			m.report.Missing = append(m.report.Missing, Missing{Limit: limit, Reason: err.Error(), Fix: fix(err)})
		} else {
			m.report.InForce = append(m.report.InForce, limit)
		}
	}
	m.report.Kill = m.v1 != nil || m.v2 != nil
	if err := m.tryPool(); err != nil {
		m.report.NoPools = err.Error()
	}
}

// tryPool makes and removes a pool with every limit, and a group in it.
func (m *Manager) tryPool() error {
	m.pools.totals = trial()
	g, err := m.New(Start{Name: "probe", Pool: "probe", Limits: trial()})
	if err != nil {
		return err
	}
	return g.Remove()
}

// probeV1 keeps the controllers that work, and says why the others do not.
func (m *Manager) probeV1() map[string]error {
	missing, works := map[string]error{}, map[string]place{}
	for controller, p := range m.lay.v1 {
		one := &legacy{places: map[string]place{controller: p}, base: m.base}
		if err := one.try("probe-" + m.run); err != nil {
			missing[controller] = err
		} else {
			works[controller] = p
		}
	}
	if len(works) > 0 {
		m.v1 = &legacy{places: works, base: m.base}
	}
	return missing
}

// probeV2 makes the base group in cgroup2 and switches on what is not bound to v1. It says why for each of those that cannot be.
func (m *Manager) probeV2() map[string]error {
	missing := map[string]error{}
	var wanted []string
	for _, limit := range limits() {
		if _, v1 := m.lay.v1[limit]; !v1 {
			wanted = append(wanted, limit)
			missing[limit] = errNotMounted
		}
	}
	if m.lay.v2 == nil {
		return missing
	}
	v, err := newUnified(*m.lay.v2, m.base)
	if err == nil && len(wanted) > 0 {
		roomErr := v.makeRoom()
		for _, limit := range wanted {
			if missing[limit] = roomErr; roomErr == nil {
				missing[limit] = v.enable(limit)
			}
		}
	}
	if err == nil {
		err = v.try("probe-" + m.run)
	}
	if err == nil {
		m.v2 = v
		return missing
	}
	for _, limit := range wanted {
		missing[limit] = err
	}
	return missing
}

var errNotMounted = errors.New("no control group hierarchy with this controller is mounted")

// trial are limits to try with.
func trial() Limits { return Limits{Memory: 64 << 20, Pids: 64, CPU: 1} }

func (v *legacy) try(name string) error {
	err := v.make(name, trial())
	for _, dir := range v.dirs(name) {
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
