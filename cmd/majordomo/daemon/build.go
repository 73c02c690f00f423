package daemon

import (
	"context"

	"go.uber.org/zap"

	"majordomo/configs"
	"majordomo/deps"
	"majordomo/deps/delivery"
	"majordomo/install"
	"majordomo/install/feed"
	"majordomo/sandbox"
	"majordomo/sandbox/runtimes"
	"majordomo/supervisor"
	"majordomo/supervisor/api"
	"majordomo/supervisor/metrics"
	"majordomo/supervisor/process"
	"majordomo/supervisor/store"
)

// Options of a Daemon. All are needed.
type Options struct {
	Config  configs.Config // as it was read from Source
	Source  configs.Source // is read again when it changes
	Version api.Version
	Log     *zap.Logger
}

// Build makes the daemon bottom up. Nothing answers and no connector runs before Run; what was opened is closed again
// when it fails half way. ctx bounds the building only.
func Build(ctx context.Context, o Options) (*Daemon, error) {
	b := &builder{
		Daemon:  &Daemon{log: o.Log, metrics: metrics.New(o.Version.Version)},
		Options: o,
		paths:   configs.Paths{State: o.Config.State},
	}
	for _, room := range []func(context.Context) error{
		b.openState, // first: holding its lock is what makes everything below safe to touch
		b.openSandbox,
		b.openPackages,
		b.openDependencies,
		b.openCore,
		b.followConfig,
		b.bindDoors, // last: whoever finds them open finds everything behind them
	} {
		if err := room(ctx); err != nil {
			_ = b.close()
			return nil, err
		}
	}
	return b.Daemon, nil
}

// builder holds the rooms while they are put together; each step needs those before it.
type builder struct {
	*Daemon
	Options
	paths configs.Paths

	state *store.Store

	host            *sandbox.Host
	inside, outside *runtimes.Finder // interpreters where connectors run; npm and pip of this machine, nil = the same

	offers    *feed.Feed
	installer *install.Installer
	trees     *deps.Builder
	deliverer *delivery.Deliverer

	launcher *process.Launcher
	core     *supervisor.Supervisor
	reloader *reloader
}
