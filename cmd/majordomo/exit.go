package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"majordomo/cmd/majordomo/screen"
	"majordomo/install/author"
	"majordomo/install/author/conformance"
	"majordomo/supervisor/api"
)

// Exit codes, the same for every verb.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitNotRunning = 3
	exitRefused    = 4
	exitConfig     = 78 // sysexits.h: what starting again does not repair
)

// usageError is a command line that makes no sense.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// configError is a configuration that the daemon cannot start with.
type configError struct{ error }

func (e configError) Unwrap() error { return e.error }

// errSaid ends a verb with exit code 1 when everything there is to say was printed already.
var errSaid = errors.New("said already")

// report prints what went wrong, one sentence a line, and turns it into an exit code.
func (a *app) report(err error) int {
	if err == nil {
		return exitOK
	}
	if !errors.Is(err, errSaid) {
		for line := range strings.Lines(a.sentence(err)) {
			fmt.Fprintf(a.err, "majordomo: %s\n", screen.Harmless(strings.TrimRight(line, "\n")))
		}
	}
	return exitCode(err)
}

func (a *app) sentence(err error) string {
	if down, ok := errors.AsType[*api.NotRunning](err); ok && a.state != "" {
		return fmt.Sprintf("cannot reach the daemon at %s: it is not running; start it with: majordomo serve --state %s",
			down.Socket, a.state)
	}
	if errors.Is(err, context.Canceled) {
		return "cannot finish: it was interrupted"
	}
	return err.Error()
}

func exitCode(err error) int {
	if _, ok := errors.AsType[configError](err); ok {
		return exitConfig
	}
	if _, ok := errors.AsType[*api.NotRunning](err); ok {
		return exitNotRunning
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*author.WrongFolderError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*conformance.UnknownFieldError](err); ok {
		return exitUsage
	}
	if refusal, ok := errors.AsType[interface {
		error
		Refused() bool
	}](err); ok && refusal.Refused() {
		return exitRefused
	}
	said, ok := errors.AsType[*api.Error](err)
	switch {
	case ok && said.Kind == api.Usage:
		return exitUsage
	case ok && (said.Kind == api.Refused || said.Kind == api.Wider):
		return exitRefused
	}
	return exitFailed
}
