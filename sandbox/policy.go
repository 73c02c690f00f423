package sandbox

import (
	"cmp"
	"slices"

	"golang.org/x/sys/unix"
)

// Policy is what the admin demands of every start, and may change while the Host lives.
type Policy struct {
	Required []Layer // as in Options
	Network  string  // as in Options
}

// SetPolicy holds for starts from now on. Where this machine gives connectors no network of their own it is found out anew what can be
// started, which takes as long as a start; the error says that the policy makes no sense.
func (h *Host) SetPolicy(p Policy) error {
	o := h.options
	o.Required, o.Network = p.Required, p.Network
	if err := o.check(); err != nil {
		return err
	}
	h.mu.Lock()
	changed := h.policy.unrestricted() != p.unrestricted()
	h.policy = p
	h.mu.Unlock()
	if changed && h.engine == nil && h.confines() && h.clone&unix.CLONE_NEWNET == 0 && h.enter() {
		defer h.starts.Done()
		h.keepProbe(h.trial())
	}
	return nil
}

func (p Policy) unrestricted() bool { return p.Network == Unrestricted }

// unrestricted reports whether a connector starts although nothing holds what it sends.
func (h *Host) unrestricted() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.policy.unrestricted()
}

// required are the layers without which a Spec is not started, beside those that always are.
func (h *Host) required(s Spec) []Layer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Concat(s.Required, h.policy.Required)
}

// Reserve changes what is kept free on the disks; bytes as in Options.
func (h *Host) Reserve(bytes int64) { h.disk.Reserve(bytes) }

func (h *Host) driver() string { return cmp.Or(h.options.Driver, "native") }
