package process

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"majordomo/sandbox"
	"majordomo/supervisor"
)

// maxOutput is what is kept of each stream of a command.
const maxOutput = 64 << 10

// Run runs a command where the connector would run, and waits for it. Its
// standard input is empty.
func (l *Launcher) Run(ctx context.Context, p supervisor.Plan, c supervisor.Command) (supervisor.Output, error) {
	spec, runtime, err := l.prepare(ctx, p)
	if err != nil {
		return supervisor.Output{}, err
	}
	spec.Argv = runtime.Command(c.Interpreter...)
	if c.Shell != "" {
		spec.Argv = []string{"/bin/sh", "-c", c.Shell}
	}
	box, err := l.o.Sandbox.Start(ctx, spec)
	if err != nil {
		return supervisor.Output{}, err
	}
	return collect(ctx, box)
}

// collect waits for a process, or for ctx and then for what it kills.
func collect(ctx context.Context, box *sandbox.Process) (supervisor.Output, error) {
	box.Stdin.Close()
	var out, errs capped
	var reading sync.WaitGroup
	reading.Go(func() { out.take(box.Stdout) })
	reading.Go(func() { errs.take(box.Stderr) })
	killed := false
	select {
	case <-box.Done():
	case <-ctx.Done():
		killed = true
		box.Stop(ctx, sandbox.Grace{}) // at once, since ctx has ended
	}
	for _, pipe := range []*os.File{box.Stdout, box.Stderr} {
		if pipe.SetReadDeadline(time.Now().Add(lastWords)) != nil {
			pipe.Close()
		}
	}
	reading.Wait()
	result := supervisor.Output{Stdout: out.Bytes(), Stderr: errs.Bytes(), Exit: box.Exit()}
	if killed {
		return result, fmt.Errorf("it was stopped: %w", context.Cause(ctx))
	}
	return result, nil
}

// capped keeps the beginning of a stream and reads the rest of it.
type capped struct{ bytes.Buffer }

func (c *capped) take(from *os.File) {
	defer from.Close()
	_, _ = io.CopyN(&c.Buffer, from, maxOutput) // its end, or what we set as its end
	_, _ = io.Copy(io.Discard, from)
}
