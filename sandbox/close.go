package sandbox

import (
	"context"

	"go.uber.org/zap"
)

// Sweep kills what an earlier daemon of the same state directory left in its control groups. Call it before the first Start.
func (h *Host) Sweep(ctx context.Context) error {
	n, err := h.groups.Sweep(ctx)
	if n > 0 {
		h.log.Warn("killed what an earlier daemon left", zap.Int("groups", n))
	}
	return err
}

// Close kills every process of the Host and returns when they are gone. It may be called more than once.
func (h *Host) Close() error {
	h.mu.Lock()
	again := h.closed
	h.closed = true
	h.mu.Unlock()
	if again {
		return nil
	}
	h.starts.Wait()
	for _, p := range h.running() {
		p.Kill()
		<-p.Done()
	}
	h.starter.stop()
	return h.groups.Close()
}

func (h *Host) running() (all []*Process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.live {
		all = append(all, p)
	}
	return all
}
