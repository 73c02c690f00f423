package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"majordomo/supervisor/api"
)

// patience bounds each step of the stop; the process tree of a connector needs 5 s at worst.
const patience = 15 * time.Second

// daemon is everything that was built. It starts nothing by itself.
type daemon struct {
	log *zap.Logger

	start []step // in this order, after everything is built
	stop  []step // in reverse: what was opened last is closed first

	control net.Listener
	api     *api.Server
	agents  net.Listener
	web     *http.Server
	ready   atomic.Bool // what /readyz says

	info ready
}

// ready is what the daemon says when it is up.
type ready struct {
	Listen string `json:"listen"`
	Socket string `json:"socket"`
	State  string `json:"state"`
}

// step is one thing that happens at start or stop.
type step struct {
	name string
	do   func(context.Context) error
}

// run starts, in the order of d.start, opens the doors, and serves until ctx ends or a door breaks. Then it stops in
// this order: /readyz says no; agents' requests and control requests end; connectors stop; then everything that
// build opened, newest first, the lock of the state directory last. announce is called once, when all is up.
func (d *daemon) run(ctx context.Context, announce func(ready) error) error {
	err := d.begin(ctx)
	if err == nil {
		broken := d.openDoors()
		d.ready.Store(true)
		if err = announce(d.info); err == nil {
			select {
			case <-ctx.Done():
				d.log.Info("stopping")
			case err = <-broken:
			}
		}
		d.ready.Store(false)
	}
	return errors.Join(err, d.close())
}

func (d *daemon) begin(ctx context.Context) error {
	for _, s := range d.start {
		begun := time.Now()
		if err := s.do(ctx); err != nil {
			return fmt.Errorf("cannot start: %s: %w", s.name, err)
		}
		d.log.Debug("started", zap.String("step", s.name), zap.Duration("took", time.Since(begun)))
	}
	return nil
}

// openDoors answers on both listeners. The goroutines end when close has closed them.
func (d *daemon) openDoors() <-chan error {
	broken := make(chan error, 2)
	go func() {
		if err := d.api.Serve(d.control); err != nil {
			broken <- fmt.Errorf("cannot go on: the control socket broke: %w", err)
		}
	}()
	go func() {
		if err := d.web.Serve(d.agents); !errors.Is(err, http.ErrServerClosed) {
			broken <- fmt.Errorf("cannot go on: the address for agents broke: %w", err)
		}
	}()
	return broken
}

// close undoes what build and run did, newest first, and tries every step even when one fails.
func (d *daemon) close() error {
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

// onStart and onStop add to the two lists.

func (d *daemon) onStart(name string, do func(context.Context) error) {
	d.start = append(d.start, step{name, do})
}

func (d *daemon) onStop(name string, do func(context.Context) error) {
	d.stop = append(d.stop, step{name, do})
}
