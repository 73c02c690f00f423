package sandbox

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/cgroup"
	"majordomo/sandbox/egress"
)

// Process is one started sandbox. It is safe for concurrent use.
type Process struct {
	// Our ends of its pipes. They support deadlines. Stop closes Stdin; Stdout and Stderr are the caller's to drain, from
	// before the first byte, and to close.
	Stdin, Stdout, Stderr *os.File

	spec        Spec
	proc        child
	control     control
	group       *cgroup.Group
	egress      *egress.Server
	report      Report
	limited     []*limitedDir          // its directories that have a limit
	overDisk    atomic.Pointer[string] // why it was stopped for what it has on disk
	outOfMemory atomic.Bool            // it was stopped because some of it was killed for lack of memory
	endWatch    func()                 // ends the watch for that

	hostTree   *hostTree // what was made for it where it has no view of its own
	rendezvous string    // directory that was made for its container, or ""
	init       program   // what is executed to end its tree by uid
	byUID      bool      // its tree is ended by uid
	leaveUID   func()    // lets another have that uid alone; nil = it was not alone
	ended      bool      // its init has seen the end of it

	stopping sync.Once
	stage    Stage         // set by stopping
	done     chan struct{} // closed after exit is set
	exit     Exit
}

// Exit is how a process ended.
type Exit struct {
	Code   int    // exit code; -1 when a signal ended it
	Signal string // "SIGKILL", … or ""
	Disk   string // why it was stopped for what it has on disk, or ""
	OOM    bool   // the kernel killed something of the tree for lack of memory
	Pool   bool   // that was for what all of its pool had together, not for its own limit
}

// PID is the sandbox's init as the host sees it. Killing it ends the whole tree.
func (p *Process) PID() int { return p.proc.pid() }

// Report says which layers are in force on this process.
func (p *Process) Report() Report { return p.report }

// Contacts lists what the process had to do with which host since it started, most used first: at most 256 hosts, and one for all others.
// It is empty where nothing may leave, or nothing holds what leaves.
func (p *Process) Contacts() []egress.Contact {
	if p.egress == nil {
		return nil
	}
	return p.egress.Contacts()
}

// Done is closed when the process has exited and nothing of its tree is left. It is seen by wait(2): a grandchild that holds
// the pipes delays nothing.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the process ended. Before Done it is that of a process that a signal has ended, without the signal.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{Code: -1}
	}
}

// wait owns the process from its start to its end.
func (p *Process) wait(forget func()) {
	end := p.proc.wait()
	p.exit = p.readExit(end)
	p.endWatch()
	oom := p.cleanUp()
	p.exit.OOM, p.exit.Pool = oom.Killed > 0 || end.exit.OOM || p.outOfMemory.Load(), oom.Pool
	if why := p.overDisk.Load(); why != nil {
		p.exit.Disk = *why
	}
	forget()
	close(p.done)
}

// readExit prefers what the init said of the connector to how the init itself ended.
func (p *Process) readExit(end death) Exit {
	for {
		m, files, err := p.control.receive()
		closeAll(files)
		switch {
		case err == nil && m.Exit != nil:
			p.ended = true
			return newExit(m.Exit.Code, syscall.Signal(m.Exit.Signal))
		case err != nil:
			return end.exit
		}
	}
}

func newExit(code int, signal syscall.Signal) Exit {
	if code >= 0 {
		return Exit{Code: code}
	}
	return Exit{Code: -1, Signal: unix.SignalName(signal)}
}

// cleanUp lets go of everything but the pipes. The init is reaped by now, and where it had a pid namespace the kernel has killed
// and reaped everything in it before; the group is for where it had none.
func (p *Process) cleanUp() (oom cgroup.OOM) {
	if p.group != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = p.group.Kill() // best effort: an empty group has nothing to kill
		_ = p.group.Wait(ctx)
		oom, _ = p.group.OOM() // what cannot be read was not counted
		_ = p.group.Remove()   // what cannot be removed now is swept at the next start
	}
	if p.leaveUID != nil {
		if !p.ended {
			killUID(p.init.path(), p.spec.UID, p.spec.GID)
		}
		p.leaveUID()
	}
	for _, w := range p.limited {
		w.close()
	}
	p.hostTree.undo()
	if p.rendezvous != "" {
		_ = os.RemoveAll(p.rendezvous) // what cannot be removed now goes at the next start of the daemon
	}
	if p.egress != nil {
		_ = p.egress.Close()
	}
	if p.control.conn != nil {
		_ = p.control.conn.Close()
	}
	return oom
}
