package daemon

import (
	"context"
	"fmt"
	"net"

	"go.uber.org/zap"

	"majordomo/configs/humanize"
	"majordomo/supervisor/api"
	"majordomo/supervisor/gateway"
)

// bindDoors takes the address and the socket now, so that a taken one is known at once; Run opens them. The address is
// closed after the connectors, so that /readyz can say what goes on.
func (b *builder) bindDoors(context.Context) error {
	if err := b.bindAgents(); err != nil {
		return err
	}
	b.onStop("address for agents", b.closeWeb)
	b.onStop("connectors", b.core.Stop)
	return b.bindControl()
}

func (b *builder) bindAgents() (err error) {
	if b.agents, err = net.Listen("tcp", b.Config.Listen); err != nil {
		return fmt.Errorf("cannot listen for agents on %s: %w; name another address with --listen", b.Config.Listen, humanize.Error(err))
	}
	if addr, ok := b.agents.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() {
		b.Log.Warn("agents come in over plain HTTP from other machines: put a TLS proxy in between", zap.Stringer("listen", addr))
	}
	b.gateway = gateway.New(gateway.Options{
		Door: b.core, Tokens: b.core, Budget: b.launcher.Budget(), Version: b.Version.Version, Log: b.Log.Named("gateway"),
	})
	b.web = newWeb(&b.gate, b.gateway, forAdmins(b.core, b.metrics), b.Log)
	return nil
}

func (b *builder) bindControl() (err error) {
	if b.control, err = api.Listen(b.paths); err != nil {
		return err
	}
	b.onStop("control socket", b.closeControl)
	b.info = Ready{Listen: b.agents.Addr().String(), Socket: b.paths.Socket(), State: b.paths.State}
	b.api = api.NewServer(api.Options{
		Supervisor: b.core, Agents: b.gateway, Installer: b.installer, Trees: b.trees, Delivery: b.deliverer,
		Feed: b.offers, Sandbox: b.host, Runtimes: b.inside, Paths: b.paths, Version: b.Version, Listen: b.info.Listen,
		Config: b.reloader.current, Log: b.Log.Named("api"),
	})
	return nil
}
