package sandbox

import (
	"errors"
	"fmt"
	"slices"

	"go.uber.org/zap"
)

// Options of a Host.
type Options struct {
	StateDir    string      // names our control groups: two daemons never meet in one. Required
	Driver      string      // "native", "docker" or "none"; "" = native
	Image       string      // of the driver docker: it has the interpreters. Required there
	Engine      string      // of the driver docker: where the Engine listens; "" = docker.DefaultAddress
	IUnderstand bool        // must be set for the driver none, which confines nothing
	Required    []Layer     // layers without which no Spec is started
	Network     string      // what becomes of a connector whose network nothing here can hold: "" or "enforced" = it does not start; "unrestricted" = it has the host's
	Totals      Totals      // of each Pool; see SetTotals
	DiskReserve int64       // bytes kept free on the disk of what is Counted; 0 = 512 MiB, or a twentieth of a small disk
	Log         *zap.Logger // nil = silent
}

// Unrestricted is the value of Options.Network with which a connector starts although nothing holds what it sends.
const Unrestricted = "unrestricted"

func (o Options) check() error {
	switch {
	case o.StateDir == "":
		return errors.New("cannot open the sandbox host: no state directory")
	case o.Driver != "" && o.Driver != "native" && o.Driver != DriverDocker && o.Driver != "none":
		return fmt.Errorf("cannot open the sandbox host: no driver %q; use native, docker or none", o.Driver)
	case o.Driver == "none" && !o.IUnderstand:
		return errors.New("cannot open the sandbox host: the driver none runs connectors unconfined; set i_understand if you want that")
	}
	if o.Network != "" && o.Network != "enforced" && o.Network != Unrestricted {
		return fmt.Errorf("cannot open the sandbox host: no network policy %q; use enforced or %s", o.Network, Unrestricted)
	}
	for _, l := range o.Required {
		if !slices.Contains(Layers(), l) {
			return fmt.Errorf("cannot open the sandbox host: required %q is no layer", l)
		}
	}
	return nil
}
