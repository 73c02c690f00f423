package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"majordomo/mcpclient/mcptest"
)

// atOnce is how many connectors the daemon starts at once.
const atOnce = 4

// measureLogin: a daemon is started for a member who has fifty connectors, until all can be called; it counts from the
// start of the daemon's own process. Against it stands what shows the least that could be done: node, executed fifty times
// with the same files, as many at once as in the daemon, each until its tools are listed.
func measureLogin(ctx context.Context, place string, rounds int) (result, error) {
	place = filepath.Join(place, "login")
	feed, err := withConnectors(ctx, place, many)
	if err != nil {
		return result{}, err
	}
	ours, against, err := inTurn(ctx, rounds,
		func(int) (time.Duration, error) {
			begun := time.Now()
			d, err := serveAgain(ctx, place, feed)
			if err != nil {
				return 0, err
			}
			defer d.stop()
			err = d.allReady(ctx, many)
			return time.Since(begun), err
		},
		func(int) (time.Duration, error) { return plainLogin(ctx, feed) })
	if err != nil {
		return result{}, err
	}
	times := ratio(ours, against)
	return result{ours.String(), against.String(), fmt.Sprintf("%.2f times", times), times <= 1.25}, nil
}

func plainLogin(ctx context.Context, feed string) (time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	begun := time.Now()
	slots, errs := make(chan struct{}, atOnce), make([]error, many)
	var listed, ended sync.WaitGroup
	for i := range many {
		listed.Add(1)
		ended.Go(func() {
			slots <- struct{}{}
			cmd, err := list(ctx, filepath.Join(feed, "one-of-many-"+strconv.Itoa(i)))
			<-slots
			errs[i] = err
			listed.Done()
			<-ctx.Done()
			if err == nil {
				_ = cmd.Wait() // it is killed
			}
		})
	}
	listed.Wait()
	took := time.Since(begun)
	cancel()
	ended.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return took, nil
}

// list starts one and has it list its tools. It ends with ctx.
func list(ctx context.Context, dir string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, "node", "index.js")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	m := mcptest.NewMinimal(in, out)
	m.Request("initialize", `{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"benchmark","version":"1"}}`)
	_, err = fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	m.Request("tools/list", "{}")
	return cmd, err
}
