package sandbox

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/initproc"
)

// startInit runs on the starter's thread.
func (h *Host) startInit(p *Process, files []*os.File, clone uintptr) (failed error) {
	attr := &os.ProcAttr{Env: []string{"GOMAXPROCS=1", "GOGC=off"}, Files: files, Dir: "/", Sys: sysProcAttr(clone)}
	fd, born := p.group.FD()
	attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = born, fd
	leave, err := p.group.Enter()
	if err != nil {
		return err
	}
	if h.net.enter(clone) {
		attr.Sys.Cloneflags &^= unix.CLONE_NEWNET
		defer func() { failed = errors.Join(failed, h.net.leave()) }()
	}
	init, err := os.StartProcess(h.init.path(), []string{initproc.Name}, attr)
	if born && errors.Is(err, unix.ENOSYS) { // no clone3: a seccomp profile around us
		attr.Sys.UseCgroupFD, born = false, false
		init, err = os.StartProcess(h.init.path(), []string{initproc.Name}, attr)
	}
	if err != nil {
		err = &cloneError{err}
	} else {
		p.proc = own{init}
	}
	if err = errors.Join(err, leave()); err != nil {
		return err
	}
	if _, v2 := p.group.FD(); v2 && !born {
		return p.group.Add(p.proc.pid())
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
