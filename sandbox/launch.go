package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/cgroup"
	"majordomo/sandbox/egress"
	"majordomo/sandbox/initproc"
)

// launch confines an init in the given namespaces. It does not execute the connector yet.
func (h *Host) launch(ctx context.Context, s Spec, clone uintptr) (*Process, error) {
	p := &Process{spec: s, init: h.init, byUID: h.endsByUID(s, clone), done: make(chan struct{})}
	h.takeUID(p)
	err := h.openLimited(p)
	if err == nil {
		err = h.begin(ctx, p, clone)
	}
	if err == nil {
		err = p.within(ctx, func() error { return h.handshake(p, clone) })
	}
	if err != nil {
		return nil, p.abandon(ctx, err)
	}
	return p, nil
}

// begin starts the init in the way of the driver. It waits for its configuration.
func (h *Host) begin(ctx context.Context, p *Process, clone uintptr) error {
	if h.engine != nil {
		return h.contain(ctx, p)
	}
	return h.spawn(p, clone)
}

// spawn makes what a process needs and starts its init, which waits for its configuration.
func (h *Host) spawn(p *Process, clone uintptr) error {
	pipes, err := p.makePipes()
	defer closeAll(pipes)
	if err != nil {
		return err
	}
	control, theirs, err := newControl()
	if err != nil {
		return err
	}
	defer theirs.Close()
	p.control = control
	if p.group, err = h.groups.New(cgroup.Start{Name: p.spec.Name, Pool: p.spec.Pool, Limits: p.spec.groupLimits()}); err != nil {
		return err
	}
	h.starter.do(func() { err = h.startInit(p, append(pipes, theirs), clone) })
	return err
}

func (s Spec) groupLimits() cgroup.Limits {
	l := s.Limits.withDefaults()
	return cgroup.Limits{Memory: l.Memory, Pids: l.Pids, CPU: l.CPU}
}

// handshake sends the configuration and checks what the init says it did.
func (h *Host) handshake(p *Process, clone uintptr) error {
	if err := checkNamespaces(p.PID(), clone); err != nil {
		return err
	}
	orders, err := h.configure(p, clone)
	if err != nil {
		return err
	}
	if err := p.control.send(orders.config.Marshal()); err != nil {
		return err
	}
	m, files, err := p.control.receive()
	if err := unexpected(m, err, m.Applied != nil); err != nil {
		closeAll(files)
		return err
	}
	if h.confines() && clone&unix.CLONE_NEWNET != 0 {
		options := egress.Options{Name: p.spec.Name, Policy: orders.policy, Log: h.log}
		if p.egress, err = egress.Serve(files, options); err != nil {
			return &StartError{Layer: Egress, Reason: err.Error()}
		}
	}
	p.report, err = h.confirm(p, *m.Applied, clone)
	return err
}

// within kills the process and ends any wait for it when ctx ends before f has returned.
func (p *Process) within(ctx context.Context, f func() error) error {
	stop := context.AfterFunc(ctx, func() {
		p.Kill()
		p.control.interrupt() // the kill may have to wait
	})
	err := f()
	if !stop() && err == nil {
		err = context.Cause(ctx) // too late to be of use: it is being killed
	}
	return err
}

// release lets a confined init execute the connector, and says whether it could.
func (p *Process) release() error {
	if err := p.control.request(initproc.Go); err != nil {
		return err
	}
	m, _, err := p.control.receive()
	return unexpected(m, err, m.Running)
}

// unexpected turns anything but the message that was due into an error.
func unexpected(m initproc.Message, err error, due bool) error {
	switch {
	case err != nil:
		return err
	case m.Failed != nil:
		return &StartError{Layer: Layer(m.Failed.Layer), Reason: m.Failed.Error}
	case !due:
		return errors.New("the init sent a message that was not due")
	}
	return nil
}

// abandon undoes a start that failed, waits for its init and says how that ended where it could not say so itself. Of an init that the
// kernel does not let go of, the rest is undone when it does.
func (p *Process) abandon(ctx context.Context, err error) error {
	p.Kill()
	if p.proc != nil && ctx.Err() != nil {
		err = fmt.Errorf("not ready in time: %w", context.Cause(ctx))
	}
	reaped := make(chan death, 1)
	go func() { reaped <- p.undo() }()
	timer := time.NewTimer(killTime)
	defer timer.Stop()
	select {
	case end := <-reaped:
		if errors.Is(err, io.EOF) || errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) {
			err = fmt.Errorf("the init died: %s", end.text)
		}
	case <-timer.C:
		err = fmt.Errorf("%w; its init does not end: a disk or a network mount that hangs holds it in the kernel", err)
	}
	return asStartError(err).of(p.spec.Name)
}

// undo lets go of all that a start has made.
func (p *Process) undo() (end death) {
	if p.proc != nil {
		end = p.proc.wait()
	}
	p.cleanUp()
	closeAll([]*os.File{p.Stdin, p.Stdout, p.Stderr})
	return end
}
