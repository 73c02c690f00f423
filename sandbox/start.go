package sandbox

import (
	"context"
	"fmt"
	"os"
)

// Start confines and starts a process. The error is a *StartError, which names the layer that failed and why, or says what is
// wrong with the Spec; nothing is left behind then. ctx bounds the start only.
func (h *Host) Start(ctx context.Context, s Spec) (*Process, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("cannot start %q: %w", s.Name, err)
	}
	if !h.enter() {
		return nil, fmt.Errorf("cannot start %q: the sandbox host is closed", s.Name)
	}
	defer h.starts.Done()
	if why := h.usable(ctx); why != nil {
		return nil, why.of(s.Name)
	}
	p, err := h.launch(ctx, s.withOwnIDs(), h.clone)
	if err != nil {
		return nil, err
	}
	err = requireLayers(p.report, h.required(s))
	if err == nil {
		err = p.within(ctx, p.release)
	}
	if err != nil {
		return nil, p.abandon(ctx, err)
	}
	h.keep(p)
	h.starts.Add(1)
	go h.prepare()
	return p, nil
}

// keep looks after a process until its end.
func (h *Host) keep(p *Process) {
	h.mu.Lock()
	h.live[p] = true
	h.mu.Unlock()
	h.watchDisk(p)
	p.endWatch = h.watchOOM(p)
	go p.wait(func() { h.forget(p) })
}

// enter counts a start, unless the Host is closed.
func (h *Host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.starts.Add(1)
	}
	return !h.closed
}

// prepare has the next start's network made.
func (h *Host) prepare() {
	defer h.starts.Done()
	if h.engine == nil && spares(h.clone) {
		h.starter.do(h.net.make)
	}
}

func (h *Host) forget(p *Process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.live, p)
}

// withOwnIDs fills in the ids of an ordinary user's sandbox, which can only be the user's.
func (s Spec) withOwnIDs() Spec {
	if os.Geteuid() != 0 {
		s.UID, s.GID = os.Geteuid(), os.Getegid()
	}
	return s
}
