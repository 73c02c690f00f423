package sandbox

import (
	"errors"
	"fmt"
)

// StartError is why a process was not started.
type StartError struct {
	Name   string // of the Spec
	Layer  Layer  // that failed; "" = not a layer: the program itself, its working directory, time
	Reason string
	Fix    string // what a person can do about it, or ""
	err    error
}

func (e *StartError) Error() string {
	text := fmt.Sprintf("cannot start %q: ", e.Name)
	if e.Layer != "" {
		text += fmt.Sprintf("sandbox layer %s: ", e.Layer)
	}
	text += e.Reason
	if e.Fix != "" {
		text += "; " + e.Fix
	}
	return text
}

// Unwrap gives the cause, such as the end of a context.
func (e *StartError) Unwrap() error { return e.err }

// of returns the error for another Spec.
func (e *StartError) of(name string) *StartError {
	c := *e
	c.Name = name
	return &c
}

func asStartError(err error) *StartError {
	if e, ok := errors.AsType[*StartError](err); ok {
		return e
	}
	return &StartError{Reason: err.Error(), err: err}
}
