package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/develop"
	"majordomo/cmd/majordomo/screen"
	"majordomo/configs/manifest"
	"majordomo/install/author"
	"majordomo/install/author/watch"
	"majordomo/supervisor/api"
)

func (a *app) devVerb() *cobra.Command {
	var r api.DevelopmentRequest
	var set, secret []string
	verb := &cobra.Command{
		Use:   "dev DIR",
		Short: "Run a connector from its source folder and restart it on change",
		Long: `Runs the connector in DIR for a member, in the daemon's sandbox and with its dependencies built as for an installed one, and
starts it anew whenever what it ships has changed. Its tools are the member's like any others. What the member activated of the
same connector stands aside meanwhile, and comes back. Ctrl-C ends it all.

The folder is read by this command, as you, and sent; nothing ever writes there. The connector has a directory of its own, kept
from restart to restart and removed at the end. Values are given as for activate, and none of an activation are used.

A folder that cannot be run as it is (a broken connector.json, dependencies that do not build) is told, and what ran before goes on.
Shown are the findings of author lint, each start, the number of tools, and what the connector writes to standard error.

--json: one {"phase","message"} for each of these.`,
		Example: `  majordomo dev ./feed/notes --member ann
  majordomo dev ./feed/mail --member ann --set HOST=mail.example.org --secret PASSWORD=@password.txt`,
		Args: oneArgument,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if r.Set, r.Secrets, err = a.form(cmd.Context(), set, secret); err != nil {
				return err
			}
			return a.dev(cmd.Context(), args[0], r)
		},
	}
	memberFlag(verb, &r.Member)
	formFlags(verb, &set, &secret)
	return verb
}

func (a *app) dev(ctx context.Context, folder string, r api.DevelopmentRequest) error {
	dir, err := connectorFolder(folder)
	if err != nil {
		return err
	}
	w, err := watch.Dir(dir, author.Passing)
	if err != nil {
		return err
	}
	defer w.Close()
	say := line(a, a.sayDev)
	loop := develop.New(develop.Options{
		Client: a.client(), Dir: dir, Request: r, Say: func(phase, message string) { say(devLine{phase, message}) },
	})
	return loop.Run(ctx, w.Changed)
}

// connectorFolder is absolute, so that its last part is the connector's id.
func connectorFolder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", usage("cannot run %s: there is no such folder", dir)
	}
	if err := manifest.CheckID(filepath.Base(abs)); err != nil {
		return "", usage("cannot run %s: the folder's name is the connector's id, and %w", dir, err)
	}
	// What is broken may be mended while this waits; a feed, or a folder of something else, will not become a connector.
	_, err = author.Read(abs)
	if wrong, ok := errors.AsType[*author.WrongFolderError](err); ok {
		return "", wrong
	}
	return abs, nil
}

// devLine is one thing that happened.
type devLine struct {
	Phase   string `json:"phase"`
	Message string `json:"message"`
}

func (a *app) sayDev(l devLine) { a.say("%-9s %s", l.Phase, screen.OneLine(l.Message)) }
