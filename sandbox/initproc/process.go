package initproc

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"majordomo/sandbox/egress/inside"
	"majordomo/sandbox/seccomp/load"
)

// closeOnExec marks every descriptor but stdio, also one that the daemon let slip into its children.
func closeOnExec() error {
	err := unix.CloseRange(ControlFD, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) { // Linux before 5.11
		return markOpenFiles()
	}
	return err
}

func markOpenFiles() error {
	entries, err := os.ReadDir("/proc/self/fd")
	for _, entry := range entries {
		var fd int
		if _, err := fmt.Sscan(entry.Name(), &fd); err == nil && fd >= ControlFD {
			unix.CloseOnExec(fd)
		}
	}
	return err
}

// ownSession checks what the daemon asked of clone: the leader of a session has no terminal to type into.
func ownSession() error {
	if sid, err := unix.Getsid(0); err != nil || sid != unix.Getpid() {
		return errors.New("not the leader of a session")
	}
	return nil
}

func setRlimits(limits []Rlimit) error {
	for _, l := range limits {
		if err := setRlimit(l); err != nil {
			return fmt.Errorf("cannot set resource limit %d to %d: %w", l.Resource, l.Value, err)
		}
	}
	return nil
}

// setRlimit never raises a hard limit, which an ordinary user may not.
func setRlimit(l Rlimit) error {
	var old unix.Rlimit
	if err := unix.Getrlimit(l.Resource, &old); err != nil {
		return err
	}
	value := min(l.Value, old.Max)
	return unix.Setrlimit(l.Resource, &unix.Rlimit{Cur: value, Max: value})
}

// raiseOOMScore makes the kernel choose a connector before the daemon when memory is short.
func raiseOOMScore() error { return writeFile("/proc/self/oom_score_adj", "500", 0) }

// writeFile is os.WriteFile for what is never waited for: that one would start the runtime's poller first.
func writeFile(name, text string, create int) error {
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CLOEXEC|create, 0o644)
	if err != nil {
		return &os.PathError{Op: "open", Path: name, Err: err}
	}
	n, err := unix.Write(fd, []byte(text))
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	return errors.Join(err, unix.Close(fd))
}

func (s *sandbox) network() error {
	sockets, err := inside.Setup(s.config.Net)
	s.applied.Sockets = sockets
	return err
}

// dieWithDaemon asks to be killed when the daemon's thread that started us dies, and hides this process, which knows the
// control socket, from the connector: where both have one uid only this keeps /proc/1 shut.
//
// Without a pid namespace our own end would leave what the connector has started: obey sees the daemon's end, and to it.
func dieWithDaemon(c Config) error {
	last := unix.SIGKILL
	if !c.in(unix.CLONE_NEWPID) {
		last = 0
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	if c.Contained {
		return nil // its parent is the engine's
	}
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(last), 0, 0, 0)
}

func noNewPrivs() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }

func filter(program []byte) error { return load.Filter(program) }
