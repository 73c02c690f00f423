package sandbox

import (
	"golang.org/x/sys/unix"

	"majordomo/sandbox/egress"
	"majordomo/sandbox/initproc"
	"majordomo/sandbox/seccomp"
)

// orders are what the init is told, and what the daemon has to know of it.
type orders struct {
	config initproc.Config
	policy egress.Policy
}

// configure writes the orders for a process that is in these namespaces. What it makes for the process is the process's.
func (h *Host) configure(p *Process, clone uintptr) (o orders, err error) {
	s := p.spec
	o.policy = s.egress()
	o.config = initproc.Config{
		Name: s.Name, Dir: s.Dir, UID: s.UID, GID: s.GID, Rlimits: s.rlimits(), Confine: h.confines(), Clone: uint64(clone),
		Contained: h.engine != nil, UserNS: clone&unix.CLONE_NEWUSER != 0, ByUID: p.byUID, SharedUID: p.leaveUID == nil,
	}
	switch {
	case !h.confines():
		s.Dir, s.Argv, s.Env = s.hostPath(s.Dir), s.hostArgs(), s.hostEnv()
	case clone&unix.CLONE_NEWNS != 0:
		o.config.View = s.view()
	default:
		if s, err = h.confineInHostTree(p, &o.config); err != nil {
			return o, err
		}
	}
	o.config.Dir, o.config.Argv, o.config.Env = s.Dir, s.Argv, s.Env
	if !h.confines() {
		return o, nil
	}
	return o, h.configureNetwork(&o, clone)
}

// confineInHostTree gives a process without a mount namespace its Landlock rules.
func (h *Host) confineInHostTree(p *Process, c *initproc.Config) (Spec, error) {
	if p.spec.trial {
		c.HostTree = hostTreeSystem()
		return p.spec, nil
	}
	var err error
	if p.hostTree, err = h.planHostTree(p.spec); err != nil {
		return p.spec, &StartError{Layer: Landlock, Reason: err.Error()}
	}
	c.HostTree = p.hostTree.rules
	return p.hostTree.spec, nil
}

// configureNetwork plans the network and writes the filter, which has to do what a namespace would have done.
func (h *Host) configureNetwork(o *orders, clone uintptr) (err error) {
	ban := seccomp.Ban{Unix: clone&unix.CLONE_NEWNS == 0}
	switch {
	case clone&unix.CLONE_NEWNET != 0:
		if o.config.Net, err = o.policy.Plan(); err != nil {
			return &StartError{Layer: Egress, Reason: err.Error()}
		}
	case o.policy.Mode == egress.None:
		ban.Network = true
	case !h.unrestricted():
		return &StartError{Layer: Egress, Reason: "nothing here can hold what a connector sends: " + h.lacking(Net), Fix: networkFix()}
	}
	o.config.Filter, err = seccomp.Program(ban)
	return err
}

// egress is the Spec's policy. What nothing leaves needs no grants.
func (s Spec) egress() egress.Policy {
	if s.Network == "" || s.Network == NetworkNone {
		return egress.Policy{Mode: egress.None}
	}
	return egress.Policy{Mode: egress.Mode(s.Network), Hosts: s.Hosts, AllowPrivate: s.AllowPrivate}
}

// rlimits never include an address space limit, which node's WebAssembly cannot live with. Processes are counted per uid: it is
// the substitute where no control group counts them.
func (s Spec) rlimits() []initproc.Rlimit {
	l := s.Limits.withDefaults()
	all := []initproc.Rlimit{
		{Resource: unix.RLIMIT_NOFILE, Value: l.Files},
		{Resource: unix.RLIMIT_CORE, Value: 0},
		{Resource: unix.RLIMIT_NPROC, Value: uint64(max(64, l.Pids))},
	}
	if l.Size > 0 {
		all = append(all, initproc.Rlimit{Resource: unix.RLIMIT_FSIZE, Value: l.Size})
	}
	return all
}
