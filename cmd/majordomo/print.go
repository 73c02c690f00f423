package main

import (
	"encoding/json"
	"fmt"

	"majordomo/cmd/majordomo/screen"
	"majordomo/configs/humanize"
	"majordomo/supervisor/api"
)

// print shows v as JSON with --json, else lets human say it.
func (a *app) print(v any, human func()) error {
	if !a.json {
		human()
		return nil
	}
	out := json.NewEncoder(a.out)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	a.printed(out.Encode(v))
	return nil
}

// printed remembers that something did not arrive; the verb goes on, and ends with that.
func (a *app) printed(err error) {
	if a.unprinted == nil && err != nil {
		a.unprinted = fmt.Errorf("cannot print the answer: %w", humanize.Error(err))
	}
}

// say prints one line for a person.
func (a *app) say(format string, args ...any) {
	_, err := fmt.Fprintf(a.out, format+"\n", args...)
	a.printed(err)
}

// table prints aligned columns for a person.
func (a *app) table(header string, rows [][]string) { a.printed(screen.Table(a.out, header, rows)) }

// list is a table, or what to do where there is nothing to list.
func (a *app) list(header string, rows [][]string, empty string) {
	if len(rows) == 0 {
		a.say("%s", empty)
		return
	}
	a.table(header, rows)
}

// line prints one value after the other as they come: as one line of JSON each with --json, else as human says it.
func line[T any](a *app, human func(T)) func(T) {
	if !a.json {
		return human
	}
	out := json.NewEncoder(a.out)
	out.SetEscapeHTML(false)
	return func(v T) { a.printed(out.Encode(v)) }
}

// watched does something long and shows on stderr how it goes on. With --json it shows nothing: the result says it all.
func watched[R any](a *app, do func(show func(api.Progress)) (R, error)) (R, error) {
	if a.json {
		return do(nil)
	}
	p := screen.NewProgress(a.err, screen.Width(a.err, a.getenv("TERM")))
	defer p.End()
	return do(p.Show)
}
