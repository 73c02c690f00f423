package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/mcpclient/stderr"
)

// warning is what a check returns when what it found is no fault.
type warning struct{ error }

func (w warning) Unwrap() error { return w.error }

func warn(format string, args ...any) error { return warning{fmt.Errorf(format, args...)} }

// worst is all of faults as one: the errors when there are any, else the warnings.
func worst(faults []error) error {
	faults = slices.DeleteFunc(faults, func(err error) bool { return err == nil })
	mild := func(err error) bool { _, is := errors.AsType[warning](err); return is }
	if slices.ContainsFunc(faults, func(err error) bool { return !mild(err) }) {
		faults = slices.DeleteFunc(faults, mild)
	}
	if len(faults) < 2 {
		return errors.Join(faults...)
	}
	var texts []string
	for _, err := range faults {
		texts = append(texts, err.Error())
	}
	all := &several{strings.Join(texts, "; "), faults}
	if mild(faults[0]) {
		return warning{all}
	}
	return all
}

// several faults are told in one sentence.
type several struct {
	text   string
	faults []error
}

func (s *several) Error() string   { return s.text }
func (s *several) Unwrap() []error { return s.faults }

func (t *trial) add(name, seen string, err error) {
	c := Check{Name: name, OK: err == nil, Severity: manifest.Error, Message: seen}
	if err != nil {
		c.Message = err.Error()
	}
	c.Message = stderr.Redactor(t.secrets())(c.Message)
	if _, mild := errors.AsType[warning](err); mild {
		c.Severity = manifest.Warning
	}
	t.checks = append(t.checks, c)
}

func (t *trial) report() Report {
	r := Report{OK: true, Checks: t.checks}
	for _, c := range t.checks {
		r.OK = r.OK && (c.OK || c.Severity == manifest.Warning)
	}
	return r
}
