package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/cgroup"
	"majordomo/sandbox/egress"
	"majordomo/sandbox/initproc"
)

// launch confines an init in the given namespaces. It does not execute the connector yet.
func (h *Host) launch(ctx context.Context, s Spec, clone uintptr) (*Process, error) {
	p := &Process{spec: s, done: make(chan struct{})}
	err := h.spawn(p, clone)
	if err == nil {
		err = p.within(ctx, func() error { return h.handshake(p, clone) })
	}
	if err != nil {
		return nil, p.abandon(ctx, err)
	}
	return p, nil
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
	l := p.spec.Limits.withDefaults()
	if p.group, err = h.groups.New(p.spec.Name, cgroup.Limits{Memory: l.Memory, Pids: l.Pids, CPU: l.CPU}); err != nil {
		return err
	}
	h.starter.do(func() { err = h.startInit(p, append(pipes, theirs), clone) })
	return err
}

// startInit runs on the starter's thread.
func (h *Host) startInit(p *Process, files []*os.File, clone uintptr) error {
	attr := &os.ProcAttr{Env: []string{"GOMAXPROCS=1", "GOGC=off"}, Files: files, Dir: "/", Sys: sysProcAttr(clone)}
	fd, born := p.group.FD()
	attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = born, fd
	leave, err := p.group.Enter()
	if err != nil {
		return err
	}
	p.proc, err = os.StartProcess(h.init, []string{initproc.Name}, attr)
	if born && errors.Is(err, unix.ENOSYS) { // no clone3: a seccomp profile around us
		attr.Sys.UseCgroupFD, born = false, false
		p.proc, err = os.StartProcess(h.init, []string{initproc.Name}, attr)
	}
	if err != nil {
		err = &cloneError{err}
	}
	if err = errors.Join(err, leave()); err != nil {
		return err
	}
	if _, v2 := p.group.FD(); v2 && !born {
		return p.group.Add(p.proc.Pid)
	}
	return nil
}

// cloneError is the kernel's refusal to start an init.
type cloneError struct{ err error }

func (e *cloneError) Error() string { return fmt.Sprintf("cannot start the init: %v", e.err) }

// sysProcAttr asks for the namespaces. As an ordinary user the capabilities to set them up come from a user namespace of our own,
// in which we keep our uid; ambient ones survive the execution of the init, which drops them.
func sysProcAttr(clone uintptr) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Cloneflags: clone, Setsid: true, Pdeathsig: syscall.SIGKILL}
	if clone&unix.CLONE_NEWUSER != 0 {
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_NET_ADMIN, unix.CAP_NET_BIND_SERVICE}
	}
	return attr
}

// handshake sends the configuration and checks what the init says it did.
func (h *Host) handshake(p *Process, clone uintptr) error {
	config, policy, err := h.configure(p.spec, clone)
	if err != nil {
		return err
	}
	if err := p.control.send(config); err != nil {
		return err
	}
	m, files, err := p.control.receive()
	if err := unexpected(m, err, m.Applied != nil); err != nil {
		closeAll(files)
		return err
	}
	if h.confines() {
		options := egress.Options{Name: p.spec.Name, Policy: policy, Log: h.log}
		if p.egress, err = egress.Serve(m.Applied.Sockets, files, options); err != nil {
			return &StartError{Layer: Egress, Reason: err.Error()}
		}
	}
	p.report, err = h.confirm(p, *m.Applied, clone)
	return err
}

// within kills the process, which ends any wait for it, when ctx ends before f has returned.
func (p *Process) within(ctx context.Context, f func() error) error {
	stop := context.AfterFunc(ctx, p.Kill)
	err := f()
	if !stop() && err == nil {
		err = context.Cause(ctx) // too late to be of use: it is being killed
	}
	return err
}

// release lets a confined init execute the connector, and says whether it could.
func (p *Process) release() error {
	if err := p.control.send("go"); err != nil {
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

// configure writes the init's orders.
func (h *Host) configure(s Spec, clone uintptr) (initproc.Config, egress.Policy, error) {
	c := initproc.Config{
		Name: s.Name, Argv: initproc.Pack(s.Argv), Env: initproc.Pack(s.Env), Dir: s.Dir, UID: s.UID, GID: s.GID, Rlimits: s.rlimits(), Confine: h.confines(),
	}
	policy := egress.Policy{Mode: egress.None, AllowPrivate: s.AllowPrivate}
	if s.Network == NetworkOpen {
		policy.Mode = egress.Open
	}
	if !h.confines() {
		c.Dir = s.hostPath(s.Dir)
		return c, policy, nil
	}
	plan, err := policy.Plan()
	if err != nil {
		return c, policy, &StartError{Layer: Egress, Reason: err.Error()}
	}
	c.Net, c.View, c.Filter, c.UserNS = plan, s.view(), h.filter, clone&unix.CLONE_NEWUSER != 0
	return c, policy, nil
}

// rlimits never include an address space limit, which node's WebAssembly cannot live with. Processes are counted per uid: it is
// the substitute where no control group counts them.
func (s Spec) rlimits() []initproc.Rlimit {
	l := s.Limits.withDefaults()
	return []initproc.Rlimit{
		{Resource: unix.RLIMIT_NOFILE, Value: l.Files},
		{Resource: unix.RLIMIT_CORE, Value: 0},
		{Resource: unix.RLIMIT_NPROC, Value: uint64(max(64, l.Pids))},
	}
}

// abandon undoes a start that failed, waits for its init and says how that ended where it could not say so itself.
func (p *Process) abandon(ctx context.Context, err error) error {
	p.Kill()
	if p.proc != nil {
		state, _ := p.proc.Wait()
		if ctx.Err() != nil {
			err = fmt.Errorf("not ready in time: %w", context.Cause(ctx))
		} else if errors.Is(err, io.EOF) || errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) {
			err = fmt.Errorf("the init died: %s", state)
		}
	}
	p.cleanUp()
	closeAll([]*os.File{p.Stdin, p.Stdout, p.Stderr})
	return asStartError(err).of(p.spec.Name)
}
