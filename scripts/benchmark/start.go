package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"majordomo/sandbox"
)

const (
	starts   = 20     // in one round, each timed by itself
	benchUID = 987654 // of what is started
)

// initialize is the first that a connector is asked.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"benchmark","version":"1"}}}` + "\n"

// measureStart: from nothing to the first reply, in a sandbox without limits of memory, processes and cpu, or with those of
// control groups of version 2, which cost next to nothing.
func measureStart(ctx context.Context, place string, rounds int) (result, error) {
	bare, err := openBare(ctx, filepath.Join(place, "start"))
	if err != nil {
		return result{}, err
	}
	defer bare.close()
	return overPlain(ctx, rounds, 3800*time.Microsecond, bare.start)
}

// measureLimits: the same as the daemon does it here, with limits.
func measureLimits(ctx context.Context, place string, rounds int) (result, error) {
	host, err := openHost(filepath.Join(place, "limits"))
	if err != nil {
		return result{}, err
	}
	defer host.Close()
	if r := host.Report(); !r.Has(sandbox.MemoryLimit) || !r.Has(sandbox.PIDLimit) || !r.Has(sandbox.CPULimit) {
		return result{}, unmeasured{errors.New("there are no control groups to limit anything with")}
	}
	return overPlain(ctx, rounds, 12*time.Millisecond, func() (time.Duration, error) { return confined(ctx, host) })
}

// overPlain compares a start with one by nothing but exec.
func overPlain(ctx context.Context, rounds int, most time.Duration, start func() (time.Duration, error)) (result, error) {
	ours, against, err := inTurn(ctx, rounds*starts,
		func(int) (time.Duration, error) { return start() },
		func(int) (time.Duration, error) { return plain(exec.CommandContext(ctx, beside("echo"))) })
	if err != nil {
		return result{}, err
	}
	more := ours.median() - against.median()
	return result{ours.String(), against.String(), fmt.Sprintf("%s more", short(more)), more <= most}, nil
}

// openHost opens a sandbox host with a state directory of its own.
func openHost(place string) (*sandbox.Host, error) {
	if os.Geteuid() != 0 {
		return nil, unmeasured{errors.New("only root has every layer")}
	}
	state := filepath.Join(place, "state")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, err
	}
	host, err := sandbox.New(sandbox.Options{StateDir: state})
	if err != nil {
		return nil, unmeasured{err}
	}
	if err := host.Ready(); err != nil {
		return nil, errors.Join(unmeasured{err}, host.Close())
	}
	return host, nil
}

// confined times a start in the sandbox.
func confined(ctx context.Context, host *sandbox.Host) (time.Duration, error) {
	begun := time.Now()
	p, err := host.Start(ctx, sandbox.Spec{
		Name: "echo", Argv: []string{"/opt/echo"}, Dir: "/", UID: benchUID, GID: benchUID, Env: []string{"PATH=/usr/bin:/bin"},
		Mounts: []sandbox.Mount{{Source: beside("echo"), Target: "/opt/echo"}}, Network: sandbox.NetworkNone,
	})
	if err != nil {
		return 0, err
	}
	err = ask(p.Stdin, p.Stdout)
	took := time.Since(begun)
	p.Kill()
	<-p.Done()
	for _, pipe := range []*os.File{p.Stdin, p.Stdout, p.Stderr} {
		_ = pipe.Close()
	}
	return took, err
}

// plain times the start of a command.
func plain(cmd *exec.Cmd) (time.Duration, error) {
	begun := time.Now()
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	err = ask(in, out)
	took := time.Since(begun)
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	return took, err
}

// ask returns after the first reply.
func ask(in io.Writer, out io.Reader) error {
	if _, err := io.WriteString(in, initialize); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil && !json.Valid(line) {
		err = fmt.Errorf("it answers %q", line)
	}
	return err
}

// beside finds a program that ./scripts/bench has built.
func beside(name string) string {
	self, err := os.Executable()
	if err != nil {
		return name
	}
	return filepath.Join(filepath.Dir(self), name)
}
