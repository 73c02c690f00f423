package initproc

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// work executes the connector and stays until it ends. The exit of the init then ends whatever else the connector started.
func (s *sandbox) work() error {
	pid, err := s.start()
	if err != nil {
		return errors.Join(err, s.control.send(Message{Failed: &Failed{Error: err.Error()}}))
	}
	// Whoever ends all of a session or a service ends the connector itself: it is given its time. It would have inherited this.
	signal.Ignore(unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	if err := s.control.send(Message{Running: true}); err != nil {
		s.orphan(pid) // and not only our own end: it may have started others already
	}
	if err := letGoOfStdio(); err != nil {
		return err
	}
	go s.obey(pid)
	dropElsewhere(s.config)
	exit := reap(pid)
	s.endOthers()
	return s.control.send(Message{Exit: exit})
}

// start executes the connector from this thread, so that it inherits what was applied to it.
func (s *sandbox) start() (pid int, err error) {
	dir, argv, env := s.config.Dir, s.config.Argv, s.config.Env
	if err := unix.Chdir(dir); err != nil {
		return 0, fmt.Errorf("cannot enter the working directory %s: %w", dir, err)
	}
	program, err := lookPath(argv[0], env)
	if err != nil {
		return 0, err
	}
	pid, err = syscall.ForkExec(program, argv, &syscall.ProcAttr{
		Env:   env,
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return 0, fmt.Errorf("cannot run %s: %w", program, err)
	}
	return pid, nil
}

// lookPath finds a program the way a shell in the sandbox would: by the PATH that the connector gets, not ours.
func lookPath(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	search := ""
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "PATH="); ok {
			search = value
		}
	}
	for _, dir := range strings.Split(search, ":") {
		if file := path.Join(dir, name); unix.Access(file, unix.X_OK) == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("cannot run %s: not found in PATH=%s", name, search)
}

// letGoOfStdio drops our copies: while we held the connector's stdin and stdout, neither side would see the other close.
func letGoOfStdio() error {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(null)
	for fd := range ControlFD {
		if err := unix.Dup3(null, fd, 0); err != nil {
			return err
		}
	}
	return nil
}

// obey does what the daemon asks until the daemon is dead, and then ends all.
func (s *sandbox) obey(connector int) {
	request, err := s.control.request()
	for ; err == nil; request, err = s.control.request() {
		signal := unix.SIGKILL
		if request == Term {
			signal = unix.SIGTERM
		}
		_ = unix.Kill(connector, signal) // it may be gone: then so are we, in a moment
	}
	s.orphan(connector)
}

// orphan ends all that a dead daemon has left. At the end of the connector reap returns, and endOthers sees to the rest.
func (s *sandbox) orphan(connector int) {
	s.orphaned.Store(true)
	if s.config.in(unix.CLONE_NEWPID) {
		os.Exit(1) // and the kernel ends all else
	}
	_ = unix.Kill(connector, unix.SIGKILL)
}

// endOthers ends what the connector left. With a pid namespace the kernel does, when we exit. Without one orphans become our children.
func (s *sandbox) endOthers() {
	if s.config.in(unix.CLONE_NEWPID) || !s.config.ByUID || s.wouldHitOthers() {
		return
	}
	killOthers()
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// killOthers kills, at one instant, every process that we may signal but ourselves: those of our uid, and of these only what Landlock
// knows as ours, where it knows about signals. It knows this thread only: another one of ours would kill more.
func killOthers() { _ = unix.Kill(-1, unix.SIGKILL) } // fails when there is none

// wouldHitOthers reports whether that would end another sandbox. All are to end when the daemon is dead.
func (s *sandbox) wouldHitOthers() bool {
	return s.config.SharedUID && !s.scoped && !s.orphaned.Load()
}

// reap collects every orphan of the sandbox until the connector itself ends.
func reap(connector int) *Exit {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return &Exit{Code: -1}
		case pid == connector && status.Signaled():
			return &Exit{Code: -1, Signal: int(status.Signal())}
		case pid == connector:
			return &Exit{Code: status.ExitStatus()}
		}
	}
}
