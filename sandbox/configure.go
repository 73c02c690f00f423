package sandbox

import (
	"golang.org/x/sys/unix"

	"majordomo/sandbox/egress"
	"majordomo/sandbox/initproc"
)

// configure writes the init's orders.
func (h *Host) configure(s Spec, clone uintptr) (initproc.Config, egress.Policy, error) {
	c := initproc.Config{
		Name: s.Name, Argv: initproc.Pack(s.Argv), Env: initproc.Pack(s.Env), Dir: s.Dir,
		UID: s.UID, GID: s.GID, Rlimits: s.rlimits(), Confine: h.confines(),
	}
	policy := s.egress()
	if !h.confines() {
		c.Dir, c.Argv, c.Env = s.hostPath(s.Dir), initproc.Pack(s.hostArgs()), initproc.Pack(s.hostEnv())
		return c, policy, nil
	}
	plan, err := policy.Plan()
	if err != nil {
		return c, policy, &StartError{Layer: Egress, Reason: err.Error()}
	}
	c.Net, c.View, c.Filter, c.UserNS = plan, s.view(), h.filter, clone&unix.CLONE_NEWUSER != 0
	return c, policy, nil
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
