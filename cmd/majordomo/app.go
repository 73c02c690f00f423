package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// app is what every verb shares: where it reads and writes, and the two flags that all of them have.
type app struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string

	state     string
	json      bool
	groups    []group // the verbs, as the help has them
	unprinted error   // why an answer did not arrive
	started   bool    // a verb began: errors from here on are not about usage
}

// run executes one command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.tree()
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentPreRun = func(*cobra.Command, []string) { a.started = true }
	verb, err := root.ExecuteContextC(ctx)
	if err != nil && !a.started {
		err = misuse(verb, err)
	}
	if err == nil {
		err = a.unprinted
	}
	return a.report(err)
}
