package main

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/install"
	"majordomo/install/catalog"
	"majordomo/install/feed"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
	"majordomo/supervisor"
	"majordomo/supervisor/api"
	"majordomo/supervisor/gateway"
	"majordomo/supervisor/metrics"
	"majordomo/supervisor/process"
	"majordomo/supervisor/store"
)

// build makes the daemon bottom up. Nothing answers and no connector runs before run; what build opened is closed when
// it fails half way.
func build(ctx context.Context, source configs.Source, c configs.Config, log *zap.Logger) (_ *daemon, err error) {
	paths := configs.Paths{State: c.State}
	d := &daemon{log: log, metrics: metrics.New(version)}
	defer func() {
		if err != nil {
			_ = d.close()
		}
	}()

	// The state directory comes first: holding its lock is what makes everything below safe to touch.
	state, err := store.Open(paths)
	if err != nil {
		return nil, err
	}
	d.onStop("state directory", func(context.Context) error { return state.Close() })

	// The sandbox, before whoever starts something in it. What an earlier daemon left running dies before anything else.
	host, err := sandbox.New(sandbox.Options{
		StateDir: c.State, Driver: c.Sandbox.Driver, IUnderstand: c.Sandbox.IUnderstand,
		Image: c.Sandbox.Image, Engine: c.Sandbox.Engine, Required: layers(c.Sandbox.Required), Network: c.Sandbox.Network, DiskReserve: int64(c.Limits.DiskReserve),
		Log: log.Named("sandbox"),
	})
	if err != nil {
		return nil, err
	}
	d.onStart("sweep of earlier connectors", host.Sweep)
	d.onStop("sandboxes", func(context.Context) error { return host.Close() })
	finder, outside := finders(c, host)

	// Packages, then what they depend on.
	offers, err := openFeed(ctx, c.Feed, state.DB, log.Named("feed"))
	if err != nil {
		return nil, err
	}
	d.onStop("feed", func(context.Context) error { offers.Close(); return nil })
	installer, err := install.New(ctx, install.Options{Paths: paths, Feed: offers, DB: state.DB, Log: log.Named("install")})
	if err != nil {
		return nil, err
	}
	d.onStart("packages", installer.Recover)
	trees := deps.New(deps.Options{
		Paths: paths, Sandbox: host, Runtimes: finder, Outside: outside, Timeout: c.Deps.Timeout.Std(), Scripts: c.Deps.Scripts, ScriptsNetwork: c.Deps.ScriptsNetwork, Disk: int64(c.Deps.Disk),
		Registries: c.Deps.Registries, Log: log.Named("deps"),
	})
	d.onStart("dependencies", trees.Recover)

	deliverer := delivery.New(delivery.Options{Paths: paths, Host: host})

	launcher := newLauncher(c.Limits, process.Options{
		Paths: paths, Sandbox: host, Runtimes: finder, Delivery: deliverer, Log: log.Named("process"),
	})

	// The core, which brings back what members want.
	core, err := supervisor.New(ctx, supervisor.Options{
		Paths: paths, DB: state.DB, Packages: installer, Trials: installer, Trees: trees,
		Launcher: launcher, Meter: d.metrics,
		UIDBase: c.Sandbox.UIDBase, Limits: bounds(c.Limits), Log: log.Named("supervisor"),
	})
	if err != nil {
		return nil, err
	}
	d.metrics.Watch(core.Status)
	d.onStart("connectors", core.Start)

	again := d.follow(&reloader{source: source, core: core, launcher: launcher, config: c, log: log.Named("config")})
	return d, d.bindDoors(c.Listen, api.Options{
		Supervisor: core, Installer: installer, Trees: trees, Delivery: deliverer, Feed: offers, Sandbox: host, Runtimes: finder,
		Paths: paths, Version: thisVersion(), Config: again.current, Log: log.Named("api"),
	})
}

// finders look for interpreters where connectors run, and for the npm and pip of this machine where that is another place.
func finders(c configs.Config, host *sandbox.Host) (inside, outside *runtimes.Finder) {
	if c.Sandbox.Driver == sandbox.DriverDocker {
		return &runtimes.Finder{Inside: host.Ask}, &runtimes.Finder{}
	}
	return &runtimes.Finder{}, nil
}

func newLauncher(c configs.Limits, o process.Options) *process.Launcher {
	o.Limits, o.Version, o.Environ = limits(c), version, os.Environ()
	o.Message, o.MessageOf, o.Messages = int64(c.Message), messageSizes(c.MessageOf), int64(c.Messages)
	return process.New(o)
}

func openFeed(ctx context.Context, c configs.Feed, db *sql.DB, log *zap.Logger) (*feed.Feed, error) {
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	accepted, err := catalog.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	return feed.New(feed.Options{
		Base: c.URL, CAFile: c.CAFile, Agent: "majordomo/" + version, Log: log, Key: key, Sequences: accepted,
	})
}

// bindDoors takes the address and the socket now, so that a taken one is known at once; run opens them. The address is
// closed after the connectors, so that /readyz can say what goes on.
func (d *daemon) bindDoors(listen string, o api.Options) (err error) {
	if d.agents, err = net.Listen("tcp", listen); err != nil {
		return fmt.Errorf("cannot listen for agents: %w", err)
	}
	if addr, ok := d.agents.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() {
		d.log.Warn("agents come in over plain HTTP from other machines: put a TLS proxy in between", zap.Stringer("listen", addr))
	}
	d.gateway = gateway.New(gateway.Options{Door: o.Supervisor, Tokens: o.Supervisor, Version: version, Log: d.log.Named("gateway")})
	d.web = newWeb(&d.gate, d.gateway, forAdmins(o.Supervisor, d.metrics), d.log)
	d.onStop("address for agents", d.closeWeb)
	d.onStop("connectors", o.Supervisor.Stop)
	if d.control, err = api.Listen(o.Paths); err != nil {
		return err
	}
	d.onStop("control socket", d.closeControl)
	d.info = ready{Listen: d.agents.Addr().String(), Socket: o.Paths.Socket(), State: o.Paths.State}
	o.Agents, o.Listen = d.gateway, d.info.Listen
	d.api = api.NewServer(o)
	return nil
}

func layers(names []string) []sandbox.Layer {
	all := make([]sandbox.Layer, len(names))
	for i, name := range names {
		all[i] = sandbox.Layer(name)
	}
	return all
}

func messageSizes(of map[string]configs.Bytes) map[string]int64 {
	all := make(map[string]int64, len(of))
	for id, size := range of {
		all[id] = int64(size)
	}
	return all
}

// bounds are the limits that the core keeps to.
func bounds(c configs.Limits) supervisor.Limits {
	return supervisor.Limits{
		StartTimeout: c.StartTimeout.Std(), CallTimeout: c.CallTimeout.Std(), CallCeiling: c.CallCeiling.Std(),
		Idle: c.Idle.Std(), IdleAlso: c.IdleAlso,
		Instances: c.Instances, Member: c.MemberInstances, Spawns: c.SpawnsPerMinute, Starts: c.Starts,
	}
}

// limits are those that the sandbox enforces.
func limits(c configs.Limits) sandbox.Limits {
	return sandbox.Limits{Memory: int64(c.Memory), Pids: c.PIDs, CPU: c.CPU, Disk: int64(c.Disk), Inodes: c.DiskFiles}
}
