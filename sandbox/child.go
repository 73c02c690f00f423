package sandbox

import (
	"os"
	"syscall"

	"majordomo/sandbox/docker"
)

// child is an init as the daemon holds it: a process that it started itself, or pid 1 of a container. Kill may come at any time and
// fails when it is gone.
type child interface {
	pid() int
	Kill() error
	wait() death // until nothing of it is left; called once
}

// death is how an init ended, for where it has not said how the connector did.
type death struct {
	exit Exit // OOM is set where whoever ended it says so
	text string
}

// own is a child of this process. Its wait fails only where it is not ours, which cannot be.
type own struct{ *os.Process }

func (o own) pid() int { return o.Pid }

func (o own) wait() death {
	state, err := reap(o.Process)
	if err != nil {
		return death{Exit{Code: -1}, err.Error()}
	}
	return death{newExit(state.ExitCode(), state.Sys().(syscall.WaitStatus).Signal()), state.String()}
}

// contained is pid 1 of a container.
type contained struct{ *docker.Container }

func (c contained) pid() int { return c.PID() }

func (c contained) wait() death {
	end := c.Wait()
	d := death{newExit(end.Code, 0), "its container ended"}
	if end.Code > 128 { // as a shell tells of a signal
		d.exit = newExit(-1, syscall.Signal(end.Code-128))
	}
	d.exit.OOM = end.OOM
	if end.Err != nil {
		d.text += ": " + end.Err.Error()
	}
	return d
}
