package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"majordomo/mcpclient"
	"majordomo/sandbox"
	"majordomo/supervisor"
)

// lastWords is how long the end of a pipe and the end of its process may be
// apart. Only under the driver none can a pipe outlive the process by more.
const lastWords = time.Second

// Launch starts a connector and opens a session with it.
func (l *Launcher) Launch(ctx context.Context, p supervisor.Plan) (supervisor.Running, error) {
	spec, runtime, err := l.prepare(ctx, p)
	if err != nil {
		return supervisor.Running{}, err
	}
	spec.Argv = l.inside(p, runtime).Argv()
	box, err := l.o.Sandbox.Start(ctx, spec)
	if err != nil {
		return supervisor.Running{}, err
	}
	run := l.attach(p, box)
	of := release{p.Connector, p.Package.Digest}
	session, err := mcpclient.Open(ctx, run.conn, mcpclient.Info{
		Name: "majordomo", Version: l.o.Version, Modern: l.eras.modern(of), OnTools: p.OnTools, OnAlive: p.OnAlive,
	})
	if err != nil {
		l.eras.failed(of, run.conn.Stats().Messages == 0)
		return supervisor.Running{}, run.abandon(err)
	}
	l.eras.opened(of, session)
	for _, problem := range session.Problems() {
		p.Log.Note("[majordomo] " + leftOut(problem))
	}
	return supervisor.Running{PID: box.PID(), Sandbox: box.Report(), Session: session, Process: run, Usage: box.Usage, Contacts: box.Contacts, Listens: run.listens.Load,
		Noise: func() int64 { return run.conn.Stats().Noise },
	}, nil
}

// leftOut tells whoever reads the connector's log what its list of tools lost.
func leftOut(p mcpclient.Problem) string {
	if p.Tool == "" {
		return p.What
	}
	return fmt.Sprintf("the tool %q is not offered: %s", p.Tool, p.What)
}

// running is one started connector.
type running struct {
	box     *sandbox.Process
	member  string
	conn    *mcpclient.Conn
	listens atomic.Bool // it reported something that happened outside
	drained chan struct{}
	done    chan struct{} // closed after cause is set
	cause   error
}

// attach reads everything the process says, from its first byte on.
func (l *Launcher) attach(p supervisor.Plan, box *sandbox.Process) *running {
	r := &running{box: box, member: p.Member, drained: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(r.drained)
		p.Log.Drain(box.Stderr)
	}()
	r.conn = mcpclient.NewConn(box.Stdin, box.Stdout, mcpclient.Options{
		MaxFrame: l.longest(p.Connector), Budget: l.budget,
		Note: p.Log.Note, Redact: p.Log.Redact,
		OnNotification: func(method string, _ json.RawMessage) {
			if strings.HasPrefix(method, "event/") {
				r.listens.Store(true)
			}
		},
		Log: l.o.Log.With(zap.String("member", p.Member), zap.String("connector", p.Connector)),
	})
	go r.watch()
	return r
}

// watch sees the end, of the process or of the conversation, and clears up
// after it. A process that nobody can talk to is of no use and is ended.
func (r *running) watch() {
	left := true
	select {
	case <-r.box.Done():
	case <-r.conn.Done():
		if left = r.leaves(r.conn.Cause()); !left {
			r.box.Stop(context.Background(), sandbox.Grace{})
		}
	}
	<-r.box.Done()
	exit := &supervisor.ExitError{Exit: r.box.Exit(), Member: r.member}
	r.conn.Exited(exit)
	r.conn.Wait()
	if r.cause = exit; !left {
		r.cause = r.conn.Cause()
	}
	if r.box.Stderr.SetReadDeadline(time.Now().Add(lastWords)) != nil {
		r.box.Stderr.Close()
	}
	<-r.drained
	r.box.Stderr.Close()
	close(r.done)
}

// leaves reports whether a process has exited, or closed its end of a pipe and is
// about to: its sandbox needs a moment to be cleared away. why is what ended the
// conversation.
func (r *running) leaves(why error) bool {
	select {
	case <-r.box.Done():
		return true
	default:
	}
	if !errors.Is(why, mcpclient.ErrOutputClosed) && !errors.Is(why, unix.EPIPE) {
		return false
	}
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-r.box.Done():
		return true
	case <-timer.C:
		return false
	}
}

// Done is closed when nothing of the process lives and its session is over.
func (r *running) Done() <-chan struct{} { return r.done }

// Cause says why, after Done.
func (r *running) Cause() error { return r.cause }

// Stop ends the process step by step and returns when nothing of it is left. Of
// one that is stuck nothing runs any more, but it is not gone.
func (r *running) Stop(ctx context.Context) sandbox.Stage {
	stage := r.box.Stop(ctx, sandbox.Grace{})
	if stage != sandbox.StageStuck {
		<-r.done
	}
	return stage
}

// abandon ends a process whose session did not open, and says why it did not.
func (r *running) abandon(err error) error {
	left := r.leaves(errors.Join(err, r.conn.Cause()))
	r.box.Kill()
	if r.box.Stop(context.Background(), sandbox.Grace{}) == sandbox.StageStuck {
		return fmt.Errorf("its handshake failed, and then the kernel did not let go of it: %w", err)
	}
	<-r.done
	var why error = &supervisor.HandshakeError{Err: err}
	// What watch ended because the conversation broke has that for its cause.
	if exit, ok := errors.AsType[*supervisor.ExitError](r.cause); ok && left {
		why = fmt.Errorf("%w before its handshake was done", exit)
	}
	if s := r.conn.Stats(); s.Noise > 0 {
		why = fmt.Errorf("%w; it printed %d lines on its standard output that are not MCP, the last: %q", why, s.Noise, s.LastNoise[len(s.LastNoise)-1])
	}
	return why
}
