package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.uber.org/zap"
)

// Sweep kills what an earlier daemon of the same state directory left in its control groups. Call it before the first Start.
func (h *Host) Sweep(ctx context.Context) error {
	_ = os.RemoveAll(h.scratch()) // what cannot be removed is in nobody's way
	n, err := h.groups.Sweep(ctx)
	if n > 0 {
		h.log.Warn("killed what an earlier daemon left", zap.Int("groups", n))
	}
	return errors.Join(err, h.sweepContainers(ctx))
}

// Close kills every process of the Host and returns when they are gone, or with an error when the kernel does not let go of some. It may
// be called more than once.
func (h *Host) Close() error {
	h.mu.Lock()
	again := h.closed
	h.closed = true
	h.mu.Unlock()
	if again {
		return nil
	}
	h.starts.Wait()
	left := h.killAll()
	h.starter.stop()
	h.net.close()
	if left > 0 {
		return fmt.Errorf("cannot end %d sandboxes: a disk or a network mount that hangs holds them in the kernel", left)
	}
	err := h.groups.Close()
	if h.engine != nil {
		err = errors.Join(err, h.engine.Close())
	}
	return err
}

// killAll returns how many are stuck.
func (h *Host) killAll() (stuck int) {
	all := h.running()
	for _, p := range all {
		p.Kill()
	}
	ctx, cancel := context.WithTimeout(context.Background(), killTime)
	defer cancel()
	for _, p := range all {
		if !p.gone(ctx, killTime) {
			stuck++
		}
	}
	return stuck
}

func (h *Host) running() (all []*Process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.live {
		all = append(all, p)
	}
	return all
}
