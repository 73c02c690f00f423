package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"majordomo/cmd/majordomo/screen"
	"majordomo/deps"
	"majordomo/install/author/conformance"
	"majordomo/supervisor/api"
)

func (a *app) authorTestVerb() *cobra.Command {
	o := conformance.Options{}
	var set, secret, calls []string
	verb := &cobra.Command{
		Use:   "test DIR",
		Short: "Run a connector against the server contract",
		Long: `Starts the connector in DIR in a sandbox like the daemon's, with its dependencies and an empty home, and checks that it keeps
the server contract of the authoring guide: the handshake, silence on notifications, the shape of its tools, ids, errors, what it
prints, how it ends, and its sign-in if it has one by QR code. It needs no daemon and changes nothing in DIR.

A call may send a mail or delete a file, and only its author knows: so each tool that requires arguments is called once, without
any, and has to say that it failed; a tool that requires none is not called. --call makes a valid call, which has to succeed. With a
sign-in by QR code logout is called too: it ends the session of this run.

Fields of the activation form that --set and --secret do not give take their default, or when they are required their example or
else "test". The exit code is 1 when a check failed; warnings do not count. docs/authoring.md explains the checks.

--json: {"ok","checks":[{"name","ok","severity","message"}]}.`,
		Example: `  majordomo author test ./feed/notes
  majordomo author test ./feed/notes --call 'add_note={"title":"Milk"}' --call list_notes
  majordomo author test ./feed/mail --set IMAP_HOST=imap.example.org --secret IMAP_PASSWORD=- --json`,
		Args: oneArgument,
		RunE: func(cmd *cobra.Command, args []string) error {
			values, secrets, err := a.form(cmd.Context(), set, secret)
			if err != nil {
				return err
			}
			o.Set, o.Secrets = values, secrets
			if o.Call, err = callsOf(calls); err != nil {
				return err
			}
			return a.authorTest(cmd.Context(), args[0], o)
		},
	}
	formFlags(verb, &set, &secret)
	verb.Flags().StringArrayVar(&calls, "call", nil, "call this tool, `NAME` or NAME={…} with its arguments as JSON; may be repeated")
	verb.Flags().DurationVar(&o.Patience, "patience", 10*time.Second, "how long to wait for each answer")
	return verb
}

func (a *app) authorTest(ctx context.Context, dir string, o conformance.Options) error {
	if o.Patience <= 0 {
		return usage("cannot use --patience %v: want a time to wait, such as 10s", o.Patience)
	}
	report, err := watched(a, func(show func(api.Progress)) (conformance.Report, error) {
		if show != nil {
			o.Progress = func(e deps.Event) { show(api.Progress{Phase: "deps", Message: e.Phase, Detail: e.Line}) }
		}
		return conformance.Run(ctx, dir, o)
	})
	if err != nil {
		return err
	}
	return a.finish(report.OK, a.print(report, func() { a.showTest(dir, report) }))
}

// callsOf reads what --call names.
func callsOf(given []string) ([]conformance.Call, error) {
	var all []conformance.Call
	for _, text := range given {
		name, arguments, _ := strings.Cut(text, "=")
		c := conformance.Call{Tool: name}
		if arguments != "" {
			var object map[string]json.RawMessage
			if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
				return nil, usage("cannot read --call %s: its arguments are not a JSON object: %s", name, arguments)
			}
			c.Arguments = json.RawMessage(arguments)
		}
		if name == "" {
			return nil, usage("cannot read --call %q: write it as NAME or NAME={…}", text)
		}
		all = append(all, c)
	}
	return all, nil
}

func (a *app) showTest(dir string, report conformance.Report) {
	for _, c := range report.Checks {
		mark := "ok"
		switch {
		case !c.OK && c.Severity == "error":
			mark = "FAILED"
		case !c.OK:
			mark = c.Severity
		}
		line := fmt.Sprintf("%-8s %s", mark, c.Name)
		if c.Message != "" {
			line += ": " + c.Message
		}
		a.say("%s", screen.Harmless(line))
	}
	if report.OK {
		a.say("%s keeps the contract", dir)
	} else {
		a.say("%s does not keep the contract", dir)
	}
}
