package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"majordomo/cmd/majordomo/screen"
	"majordomo/configs/manifest"
	"majordomo/supervisor/api"
)

// canAsk says whether somebody is there who can read a question and answer it.
func (a *app) canAsk() bool { return !a.json && screen.IsTerminal(a.in) && screen.IsTerminal(a.err) }

// consent shows what a release reaches for beyond what is installed, and asks. It returns what was shown: should the feed
// offer something else by now, that is not agreed to.
func (a *app) consent(ctx context.Context, r api.InstallRequest) ([]manifest.Change, error) {
	plan, err := a.client().Plan(ctx, r)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(a.err, "version %d of %s reaches further than version %d, which is installed:\n", plan.Version, plan.ID, plan.Installed)
	for _, c := range plan.Widens {
		fmt.Fprintf(a.err, "  %s\n", screen.OneLine(c.What))
	}
	fmt.Fprint(a.err, "Take it all the same? [y/N] ")
	said, err := a.answer(ctx)
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "y", "yes":
		return plan.Widens, nil
	}
	return nil, api.Errorf(api.Refused, "cannot install version %d of %s: you did not agree to what it reaches for; nothing was changed",
		plan.Version, plan.ID)
}

// answer is the next line of standard input. Who interrupts has answered too; the read is left behind, and ends with us.
func (a *app) answer(ctx context.Context) (string, error) {
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(a.in).ReadString('\n') // the end of the input is no yes
		lines <- line
	}()
	select {
	case line := <-lines:
		return line, nil
	case <-ctx.Done():
		fmt.Fprintln(a.err)
		return "", context.Cause(ctx)
	}
}
