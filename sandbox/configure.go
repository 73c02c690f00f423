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
	policy := egress.Policy{Mode: egress.None, AllowPrivate: s.AllowPrivate}
	if s.Network == NetworkOpen {
		policy.Mode = egress.Open
	}
	if !h.confines() {
		c.Dir = s.hostPath(s.Dir)
		return c, policy, nil
	}
	plan, err := policy.Plan()
	if err != nil {
		return c, policy, &StartError{Layer: Egress, Reason: err.Error()}
	}
	c.Net, c.View, c.Filter, c.UserNS = plan, s.view(), h.filter, clone&unix.CLONE_NEWUSER != 0
	return c, policy, nil
}

// rlimits never include an address space limit, which node's WebAssembly cannot live with. Processes are counted per uid: it is
// the substitute where no control group counts them.
func (s Spec) rlimits() []initproc.Rlimit {
	l := s.Limits.withDefaults()
	return []initproc.Rlimit{
		{Resource: unix.RLIMIT_NOFILE, Value: l.Files},
		{Resource: unix.RLIMIT_CORE, Value: 0},
		{Resource: unix.RLIMIT_NPROC, Value: uint64(max(64, l.Pids))},
	}
}
