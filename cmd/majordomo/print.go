package main

import (
	"encoding/json"
	"fmt"

	"majordomo/cmd/majordomo/screen"
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
	return out.Encode(v)
}

// say prints one line for a person.
func (a *app) say(format string, args ...any) { fmt.Fprintf(a.out, format+"\n", args...) }

// table prints aligned columns for a person.
func (a *app) table(header string, rows [][]string) { screen.Table(a.out, header, rows) }

// line prints one value after the other as they come: as one line of JSON each with --json, else as human says it.
func line[T any](a *app, human func(T)) func(T) {
	if !a.json {
		return human
	}
	out := json.NewEncoder(a.out)
	out.SetEscapeHTML(false)
	return func(v T) { _ = out.Encode(v) }
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
