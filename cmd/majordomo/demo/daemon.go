package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"majordomo/supervisor/api"
)

const (
	startLimit = 60 * time.Second // of the daemon, until it answers
	stopLimit  = 60 * time.Second // of the daemon with everything it runs
)

// daemon is `majordomo serve` as a child process.
type daemon struct {
	process *os.Process
	ended   chan struct{} // closed after wait
	err     error         // how it ended; read after ended
}

// launch starts the daemon. It returns before the daemon answers.
func (d *demo) launch() (*daemon, error) {
	program := d.Program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	log, err := os.OpenFile(d.place.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := d.place
	cmd := exec.Command(program, "serve", "--config", p.config, "--state", p.state, "--feed", p.feed, "--listen", "127.0.0.1:0")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:   true,            // Ctrl-C is for the demo, which then stops the daemon
		Pdeathsig: syscall.SIGTERM, // and the daemon never outlives it
	}
	s := &daemon{ended: make(chan struct{})}
	started := make(chan error)
	go s.own(cmd, started)
	return s, <-started
}

// own starts and waits on one thread that lives as long as the daemon: the kernel takes the end of the thread that
// started a process for the end of its parent.
func (s *daemon) own(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	err := cmd.Start()
	s.process = cmd.Process
	started <- err
	if err == nil {
		s.err = cmd.Wait()
		close(s.ended)
	}
}

// start launches the daemon and waits until it answers on its socket.
func (d *demo) start(ctx context.Context) (string, error) {
	server, err := d.launch()
	if err != nil {
		return "", fmt.Errorf("cannot start the daemon: %w", err)
	}
	d.server = server
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("it did not answer within %v", startLimit))
	defer cancel()
	status, err := d.answer(ctx)
	if err != nil {
		_ = d.end()
		d.server = nil
		return "", fmt.Errorf("cannot start the daemon: %w%s", err, d.place.said())
	}
	d.listen = status.Listen
	return "http://" + status.Listen + "/mcp", nil
}

// answer asks until the daemon answers, or ends.
func (d *demo) answer(ctx context.Context) (api.Status, error) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		status, err := d.control.Status(ctx)
		if _, down := errors.AsType[*api.NotRunning](err); !down {
			return status, err
		}
		select {
		case <-tick.C:
		case <-d.server.ended:
			return status, fmt.Errorf("it ended: %v", d.server.err)
		case <-ctx.Done():
			return status, context.Cause(ctx)
		}
	}
}

// end stops the daemon politely; it succeeds when the daemon says that all went well.
func (d *demo) end() error {
	s := d.server
	d.control.Close()
	_ = s.process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(stopLimit):
		_ = s.process.Kill()
		<-s.ended
		return fmt.Errorf("cannot stop the daemon: it was still there %v after SIGTERM%s", stopLimit, d.place.said())
	}
	if s.err != nil {
		return fmt.Errorf("cannot stop the daemon cleanly: %w%s", s.err, d.place.said())
	}
	return nil
}

// stop ends the daemon, if there is one, whatever became of the run before.
func (d *demo) stop() {
	if d.server == nil {
		return
	}
	d.log.run("daemon stops", func() (string, error) { return "", d.end() })
	d.server = nil
}

// said is the end of the daemon's log, for an error message.
func (p place) said() string {
	text, _ := os.ReadFile(p.log)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return "; it said:\n  " + strings.Join(lines[max(0, len(lines)-10):], "\n  ")
}
