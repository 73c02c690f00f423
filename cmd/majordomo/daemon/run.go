package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	systemd "github.com/coreos/go-systemd/v22/daemon"
	"go.uber.org/zap"

	"majordomo/supervisor/api"
	"majordomo/supervisor/gateway"
	"majordomo/supervisor/metrics"
)

// patience bounds each step of the stop; the process tree of a connector needs 5 s at worst.
const patience = 15 * time.Second

// Daemon is everything that was built. It does nothing before Run.
type Daemon struct {
	log *zap.Logger

	start []step // in this order, after everything is built
	stop  []step // in reverse: what was built last is closed first

	agents  net.Listener // the TCP address
	web     *http.Server
	gateway *gateway.Gateway
	metrics *metrics.Metrics
	gate    gate // closed until Run is ready

	control net.Listener // the socket
	api     *api.Server

	info Ready
}

// Ready is what the daemon says when it is up.
type Ready struct {
	Listen string `json:"listen"`
	Socket string `json:"socket"`
	State  string `json:"state"`
}

// step is one thing that happens at start or stop.
type step struct {
	name string
	do   func(context.Context) error
}

// Run starts and serves until ctx ends or a door breaks, then stops; Build lists both orders. /healthz and /readyz
// answer throughout; the control socket and /mcp do from the moment of announce, which is called once. It is called once;
// when it returns every connector is stopped, every goroutine has ended and the state directory is free.
func (d *Daemon) Run(ctx context.Context, announce func(Ready) error) error {
	broken := make(chan error, 2)
	go func() { broken <- d.serveWeb() }()
	err := d.begin(ctx)
	if err == nil {
		go func() { broken <- d.api.Serve(d.control) }()
		d.gate.open()
		d.onStop("requests", d.closeDoors)
		if err = announce(d.info); err == nil {
			d.tell(systemd.SdNotifyReady)
			err = d.wait(ctx, broken)
		}
	} else if ctx.Err() != nil {
		err = nil // it was asked to stop while it started
	}
	d.log.Info("stopping")
	d.tell(systemd.SdNotifyStopping)
	return errors.Join(err, d.close())
}

// begin runs the start steps.
func (d *Daemon) begin(ctx context.Context) error {
	for _, s := range d.start {
		begun := time.Now()
		if err := s.do(ctx); err != nil {
			return fmt.Errorf("cannot start: %s: %w", s.name, err)
		}
		d.log.Debug("started", zap.String("step", s.name), zap.Duration("took", time.Since(begun)))
	}
	debug.FreeOSMemory() // a start needs more than what comes after it, and the runtime would keep that for long
	return nil
}

func (d *Daemon) wait(ctx context.Context, broken <-chan error) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-broken:
		return fmt.Errorf("cannot go on: a listener broke: %w", err)
	}
}

// close runs the stop steps, newest first, and tries every one even when one fails.
func (d *Daemon) close() error {
	var failed []error
	for _, s := range slices.Backward(d.stop) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		if err := s.do(ctx); err != nil {
			failed = append(failed, fmt.Errorf("cannot stop cleanly: %s: %w", s.name, err))
		}
		cancel()
	}
	return errors.Join(failed...)
}

func (d *Daemon) onStart(name string, do func(context.Context) error) {
	d.start = append(d.start, step{name, do})
}

func (d *Daemon) onStop(name string, do func(context.Context) error) {
	d.stop = append(d.stop, step{name, do})
}

func (d *Daemon) serveWeb() error { return d.web.Serve(d.agents) }

// closeWeb cuts what is left; calls were waited for when the gate closed.
func (d *Daemon) closeWeb(context.Context) error {
	err := d.web.Close()
	_ = d.agents.Close() // closed already, unless Run never came to it
	return err
}

// closeDoors lets nobody in any more. Requests in flight have a moment to end.
func (d *Daemon) closeDoors(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	d.gateway.Close()
	err := d.api.Close(ctx)
	d.gate.close(ctx)
	return err
}

// closeControl closes the socket where Run never came to serve it.
func (d *Daemon) closeControl(context.Context) error {
	_ = d.control.Close()
	return nil
}
