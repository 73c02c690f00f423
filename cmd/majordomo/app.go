package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"majordomo/configs"
	"majordomo/supervisor/api"
)

// app is what every verb shares: where it reads and writes, and the two flags that all of them have.
type app struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string

	state   string
	json    bool
	started bool // a verb began: errors from here on are not about usage
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
		why := strings.Join(strings.Fields(err.Error()), " ") // cobra puts suggestions on lines of their own
		why = goWords.ReplaceAllString(why, "")
		name := strings.TrimPrefix(verb.CommandPath(), "majordomo ")
		err = usage("cannot run %s: %s; see: %s --help", name, why, verb.CommandPath())
	}
	return a.report(err)
}

// goWords are what the flag library quotes from the language's own.
var goWords = regexp.MustCompile(`strconv\.\w+: parsing "[^"]*": |time: `)

func oneArgument(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("it takes 1 argument, and %d were given", len(args))
	}
	return nil
}

// oneID takes the one argument that becomes a part of a request's path. No id is one of these, and the path would be another.
func oneID(verb *cobra.Command, args []string) error {
	if err := oneArgument(verb, args); err != nil {
		return err
	}
	switch args[0] {
	case "", ".", "..":
		return fmt.Errorf("%q is no id", args[0])
	}
	return nil
}

// client talks to the daemon that the flags and the environment name.
func (a *app) client() *api.Client { return api.NewClient(a.socket()) }

func (a *app) socket() string {
	state := a.state
	if state == "" {
		state = a.getenv("MAJORDOMO_STATE")
	}
	if state != "" {
		if abs, err := filepath.Abs(state); err == nil {
			state = abs
		}
		return configs.Paths{State: state}.Socket()
	}
	if state = configs.DefaultState(a.getenv); state == "" {
		return configs.ServiceSocket
	}
	own := configs.Paths{State: state}.Socket()
	if !answers(own) && answers(configs.ServiceSocket) {
		return configs.ServiceSocket
	}
	return own
}

func answers(socket string) bool {
	conn, err := net.Dial("unix", socket)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// print shows v as JSON with --json, else lets human say it.
func (a *app) print(v any, human func()) error {
	if !a.json {
		human()
		return nil
	}
	out := json.NewEncoder(a.out)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// say prints one line for a person.
func (a *app) say(format string, args ...any) { fmt.Fprintf(a.out, format+"\n", args...) }

// table prints aligned columns for a person; header holds the columns' names, or nothing. Cells come from feeds and
// connectors, so they may not steer the terminal.
func (a *app) table(header string, rows [][]string) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	if header != "" {
		fmt.Fprintln(w, strings.ReplaceAll(header, " ", "\t"))
	}
	for _, row := range rows {
		for i := range row {
			row[i] = oneLine(row[i])
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush()
}

func oneLine(s string) string {
	if s == "" {
		return "-"
	}
	return strings.ReplaceAll(harmless(s), "\n", " ")
}

// harmless keeps text from strangers from steering the terminal: line ends and tabs stay, other control characters go.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
}
