package sandbox

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// What is demanded can be changed while the Host lives, and holds for the next start.
func TestSetPolicy(t *testing.T) {
	h := openHost(t)
	if err := h.SetPolicy(Policy{Required: []Layer{"magic"}}); err == nil {
		t.Error("a layer that does not exist is demanded")
	}
	before := start(t, h, connector("cat"))
	if err := h.SetPolicy(Policy{Required: []Layer{Disk}}); err != nil {
		t.Fatal(err)
	}
	_, err := h.Start(t.Context(), connector("cat"))
	if refused, ok := errors.AsType[*StartError](err); !ok || refused.Layer != Disk {
		t.Errorf("without a layer that is demanded: %v", err)
	}
	if _, err := before.Stdin.WriteString("hello\n"); err != nil || line(t, before) != "hello" {
		t.Error("what ran was ended")
	}
	if err := h.SetPolicy(Policy{}); err != nil {
		t.Fatal(err)
	}
	start(t, h, connector("cat"))
}

// Where connectors cannot have a network of their own, what can be started is found out anew with the policy.
func TestSetNetworkPolicy(t *testing.T) {
	h := openHost(t)
	h.clone &^= unix.CLONE_NEWNET
	h.lacks[Net] = "for a test"
	for _, c := range []struct {
		network string
		open    bool
	}{{Unrestricted, true}, {"enforced", false}, {Unrestricted, true}} {
		if err := h.SetPolicy(Policy{Network: c.network}); err != nil {
			t.Fatal(err)
		}
		s := connector("cat")
		s.Network = NetworkOpen
		p, err := h.Start(t.Context(), s)
		if (err == nil) != c.open {
			t.Errorf("%s: %v", c.network, err)
		}
		if err == nil {
			end(p)
		}
		if lost := !h.Report().Has(Egress); !lost {
			t.Errorf("%s: egress is said to be in force: %v", c.network, h.Report().InForce)
		}
	}
}
