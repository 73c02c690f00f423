package daemon

import (
	"context"
	"os"

	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/install"
	"majordomo/install/catalog"
	"majordomo/install/feed"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
	"majordomo/supervisor"
	"majordomo/supervisor/process"
	"majordomo/supervisor/store"
)

func (b *builder) openState(context.Context) (err error) {
	if b.state, err = store.Open(b.paths); err != nil {
		return err
	}
	b.onStop("state directory", func(context.Context) error { return b.state.Close() })
	return nil
}

// openSandbox comes before whoever starts something in it: what an earlier daemon left running dies first.
func (b *builder) openSandbox(context.Context) (err error) {
	c := b.Config.Sandbox
	b.host, err = sandbox.New(sandbox.Options{
		StateDir: b.Config.State, Driver: c.Driver, IUnderstand: c.IUnderstand, Image: c.Image, Engine: c.Engine,
		Required: layers(c.Required), Network: c.Network, DiskReserve: int64(b.Config.Limits.DiskReserve),
		Totals: totals(b.Config.Limits), Log: b.Log.Named("sandbox"),
	})
	if err != nil {
		return err
	}
	b.onStart("sweep of earlier connectors", b.host.Sweep)
	b.onStop("sandboxes", func(context.Context) error { return b.host.Close() })
	b.inside = &runtimes.Finder{}
	if c.Driver == sandbox.DriverDocker {
		b.inside, b.outside = &runtimes.Finder{Inside: b.host.Ask}, &runtimes.Finder{}
	}
	return nil
}

func (b *builder) openPackages(ctx context.Context) (err error) {
	if b.offers, err = b.openFeed(ctx); err != nil {
		return err
	}
	b.onStop("feed", func(context.Context) error { b.offers.Close(); return nil })
	b.installer, err = install.New(ctx, install.Options{
		Paths: b.paths, Feed: b.offers, DB: b.state.DB, Log: b.Log.Named("install"),
	})
	if err != nil {
		return err
	}
	b.onStart("packages", b.installer.Recover)
	return nil
}

func (b *builder) openFeed(ctx context.Context) (*feed.Feed, error) {
	c := b.Config.Feed
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	accepted, err := catalog.Open(ctx, b.state.DB)
	if err != nil {
		return nil, err
	}
	return feed.New(feed.Options{
		Base: c.URL, CAFile: c.CAFile, Agent: "majordomo/" + b.Version.Version, Log: b.Log.Named("feed"),
		Key: key, Sequences: accepted,
	})
}

func (b *builder) openDependencies(context.Context) error {
	c := b.Config.Deps
	b.trees = deps.New(deps.Options{
		Paths: b.paths, Sandbox: b.host, Runtimes: b.inside, Outside: b.outside, Timeout: c.Timeout.Std(),
		Scripts: c.Scripts, ScriptsNetwork: c.ScriptsNetwork, Disk: int64(c.Disk), Registries: c.Registries,
		Log: b.Log.Named("deps"),
	})
	b.deliverer = delivery.New(delivery.Options{Paths: b.paths, Host: b.host})
	b.onStart("dependencies", b.trees.Recover)
	return nil
}

// openCore makes who brings back what members want.
func (b *builder) openCore(ctx context.Context) (err error) {
	b.launcher = process.New(b.processes())
	b.core, err = supervisor.New(ctx, supervisor.Options{
		Paths: b.paths, DB: b.state.DB, Packages: b.installer, Trials: b.installer, Trees: b.trees,
		Launcher: b.launcher, Meter: b.metrics,
		UIDBase: b.Config.Sandbox.UIDBase, Limits: bounds(b.Config.Limits), Log: b.Log.Named("supervisor"),
	})
	if err != nil {
		return err
	}
	b.metrics.Watch(b.core.Status)
	b.onStart("connectors", b.core.Start)
	return nil
}

func (b *builder) processes() process.Options {
	c := b.Config.Limits
	return process.Options{
		Paths: b.paths, Sandbox: b.host, Runtimes: b.inside, Delivery: b.deliverer,
		Limits: limits(c), Messages: messages(c),
		Version: b.Version.Version, Environ: os.Environ(), Log: b.Log.Named("process"),
	}
}
