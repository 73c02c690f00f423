package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"majordomo/supervisor/api"
)

// measureCrash: a running connector's own process is killed, and called at once, again and again until it answers. Against
// it stands the connector's own start, by a person: the same process in the same sandbox.
//
// Without a call the first restart comes after up to a second, by intent.
func measureCrash(ctx context.Context, place string, rounds int) (result, error) {
	place = filepath.Join(place, "crash")
	feed, err := withConnectors(ctx, place, 1)
	if err != nil {
		return result{}, err
	}
	d, err := serveAgain(ctx, place, feed)
	if err != nil {
		return result{}, err
	}
	defer d.stop()
	if err := d.allReady(ctx, 1); err != nil {
		return result{}, err
	}
	ours, against, err := inTurn(ctx, rounds,
		func(int) (time.Duration, error) { return d.crash(ctx) },
		func(int) (time.Duration, error) {
			if err := d.Stop(ctx, "one-of-many-0", "measured"); err != nil {
				return 0, err
			}
			return timed(func() error { return d.Start(ctx, "one-of-many-0", "measured") })
		})
	if err != nil {
		return result{}, err
	}
	more := ours.median() - against.median()
	return result{ours.String(), against.String(), fmt.Sprintf("%s more", short(more)), more < time.Second}, nil
}

// crash kills and calls.
func (d *daemon) crash(ctx context.Context) (time.Duration, error) {
	pid, err := d.server(ctx)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return 0, err
	}
	for {
		_, err := d.Call(ctx, api.CallRequest{Member: "measured", Tool: "mcp__one-of-many-0__echo"})
		took := time.Since(begun)
		switch {
		case err == nil:
			return took, nil
		case took > 30*time.Second:
			return 0, fmt.Errorf("it does not come back: %w", err)
		}
	}
}

// server is the connector's own process: the one child of its sandbox's init.
func (d *daemon) server(ctx context.Context) (int, error) {
	s, err := d.Status(ctx)
	if err != nil {
		return 0, err
	}
	if len(s.Instances) != 1 || s.Instances[0].PID == 0 {
		return 0, errors.New("it does not run")
	}
	init := s.Instances[0].PID
	children, err := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", init))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(children)))
}
