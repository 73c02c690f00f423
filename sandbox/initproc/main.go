package initproc

import (
	"errors"
	"os"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// step is one thing the init applies. A step that must not fail ends the start; any other is reported as missing.
type step struct {
	layer string // "" = belongs to no layer
	must  bool
	do    func() error
}

// Main is the whole program. It never returns.
func Main() {
	runtime.LockOSThread() // threads have their own ids, capabilities and filters: all of it happens in this one
	if len(os.Args) > 1 && os.Args[1] == KillOthers {
		killByUID()
	}
	s := &sandbox{control: control{fd: ControlFD}}
	if len(os.Args) > 2 && os.Args[1] == Connect {
		var err error
		if s.control, err = connect(os.Args[2]); err != nil {
			os.Exit(1) // nobody to tell
		}
	}
	if err := s.run(); err != nil {
		os.Exit(1) // the daemon has the reason, or is gone
	}
	os.Exit(0) // the daemon has the connector's exit
}

// sandbox is the state of one init.
type sandbox struct {
	control  control
	config   Config
	applied  Applied
	scoped   bool        // Landlock keeps our signals to what is ours
	orphaned atomic.Bool // the daemon is dead
}

func (s *sandbox) run() error {
	if err := s.control.receive(&s.config); err != nil {
		return err
	}
	if failed := s.apply(); failed != nil {
		return errors.Join(errors.New(failed.Error), s.control.send(Message{Failed: failed}))
	}
	if err := s.control.send(Message{Applied: &s.applied}, s.applied.Sockets.FDs...); err != nil {
		return err
	}
	for _, fd := range s.applied.Sockets.FDs {
		unix.Close(fd)
	}
	if request, err := s.control.request(); err != nil || request != Go {
		return err // the daemon disagrees with the report, or died before the parent-death signal was armed again
	}
	return s.work()
}

// apply goes through the steps in their order and stops at the first that must not fail and does.
func (s *sandbox) apply() *Failed {
	steps := s.steps()
	s.applied.Layers, s.applied.Missing, s.applied.Notes = make([]string, 0, len(steps)), map[string]string{}, map[string]string{}
	for _, step := range steps {
		err := step.do()
		switch {
		case err != nil && step.must:
			return &Failed{Layer: step.layer, Error: err.Error()}
		case err != nil:
			s.applied.Missing[step.layer] = err.Error()
		case step.layer != "":
			s.applied.Layers = append(s.applied.Layers, step.layer)
		}
	}
	return nil
}

// steps is the order of confinement. What needs privileges comes before they are given up; seccomp, which forbids the very calls
// used here, is last.
func (s *sandbox) steps() []step {
	c := s.config
	always := []step{
		{"env", true, func() error { return nil }}, // the connector is executed with Config.Env and nothing else
		{"fds", true, closeOnExec},
		{"session", true, ownSession},
		{"", true, func() error { return setRlimits(c.Rlimits) }},
		{"", false, raiseOOMScore},
	}
	if !c.Confine {
		return always
	}
	if c.in(unix.CLONE_NEWNS) && !c.Contained {
		always = append(always, step{"mount", true, s.enterView})
	}
	if c.in(unix.CLONE_NEWUTS) && !c.Contained {
		always = append(always, step{"uts", false, func() error { return unix.Sethostname([]byte(c.Name)) }})
	}
	if c.in(unix.CLONE_NEWNET) && (c.Net.Serve || !c.Contained) { // a container's loopback is up
		always = append(always, step{"net", true, s.network})
	}
	return append(always,
		step{"uid", true, func() error { return dropIDs(c) }},
		step{"caps", true, dropCapabilities},
		step{"", true, func() error { return dieWithDaemon(c) }}, // the kernel disarms it when ids change
		step{"no_new_privs", true, noNewPrivs},
		step{"landlock", !c.in(unix.CLONE_NEWNS), s.landlock},
		step{"seccomp", true, func() error { return filter(c.Filter) }},
	)
}
