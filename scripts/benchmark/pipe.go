package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"majordomo/mcpclient"
	"majordomo/mcpclient/mcptest"
)

// measureCall: one call after another over a pipe, through mcpclient and through the least client there could be. Each has
// a server of its own, which is a process. They take turns every few calls: which processor a server's answers wake this process on changes
// every second or so, and is worth more than what is measured.
func measureCall(ctx context.Context, _ string, rounds int) (result, error) {
	return overMinimal(ctx, 40*rounds, 2, 50, 1.15)
}

// measureLarge: the same, with results of one megabyte.
func measureLarge(ctx context.Context, _ string, rounds int) (result, error) {
	return overMinimal(ctx, 10*rounds, 1<<20, 4, 1.1)
}

// overMinimal makes so many calls a round, whose results have so many bytes, and compares what one takes.
func overMinimal(ctx context.Context, rounds, size, calls int, most float64) (result, error) {
	ours, stopOurs, err := serve(size)
	if err != nil {
		return result{}, err
	}
	defer stopOurs()
	theirs, stopTheirs, err := serve(size)
	if err != nil {
		return result{}, err
	}
	defer stopTheirs()
	conn := mcpclient.NewConn(ours.in, ours.out, mcpclient.Options{})
	defer func() { conn.Close(); conn.Wait() }()
	session, err := mcpclient.Open(ctx, conn, mcpclient.Info{Name: "benchmark", Version: "1"})
	if err != nil {
		return result{}, err
	}
	minimal := mcptest.NewMinimal(theirs.in, theirs.out)
	a, b, err := inTurn(ctx, rounds,
		func(int) (time.Duration, error) {
			return each(calls, size, func() (json.RawMessage, error) {
				return session.Call(ctx, "echo", json.RawMessage(`{"a":1}`), nil)
			})
		},
		func(int) (time.Duration, error) {
			return each(calls, size, func() (json.RawMessage, error) {
				return minimal.Request("tools/call", `{"name":"echo","arguments":{"a":1}}`), nil
			})
		})
	if err != nil {
		return result{}, err
	}
	times := ratio(a, b)
	return result{a.String(), b.String(), fmt.Sprintf("%.2f times", times), times <= most}, nil
}

// each times so many calls, and says what one took.
func each(calls, size int, call func() (json.RawMessage, error)) (time.Duration, error) {
	took, err := timed(func() error {
		for range calls {
			if reply, err := call(); err != nil || len(reply) < size {
				return fmt.Errorf("%d bytes came: %w", len(reply), err)
			}
		}
		return nil
	})
	return took / time.Duration(calls), err
}

// ends are ours of a server's pipes.
type ends struct{ in, out *os.File }

// serve starts the server whose results have so many bytes.
func serve(size int) (ours ends, stop func(), err error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return ends{}, nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return ends{}, nil, err
	}
	cmd := exec.Command(beside("echo"), strconv.Itoa(size))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, os.Stderr
	err = cmd.Start()
	theirIn.Close()
	theirOut.Close()
	return ends{in, out}, func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }, err
}
