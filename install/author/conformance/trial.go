package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"majordomo/configs/manifest"
	"majordomo/deps/declared"
	"majordomo/mcpclient/stderr"
)

// trial is one run of all checks.
type trial struct {
	place
	wire   *wire
	tools  []tool
	strays []stray  // outside the checks that look for them
	noise  []string // of the processes that are gone
	checks []Check
}

// tool is what the checks need to know of one.
type tool struct {
	Name, Title, Description string
	InputSchema              struct{ Required []string }
	Annotations              struct{ Title string }
}

// warning is what a check returns when what it found is no fault.
type warning struct{ error }

func (w warning) Unwrap() error { return w.error }

func warn(format string, args ...any) error { return warning{fmt.Errorf(format, args...)} }

// steps are the checks that need a process, after its initialize, in the order that
// leaves it alive the longest.
var steps = []struct {
	name string
	due  func(*trial) bool // nil = always
	do   func(*trial) (seen string, err error)
}{
	{"notifications", nil, checkNotifications},
	{"ping", nil, checkPing},
	{"tools-list", nil, checkToolsList},
	{"tool-titles", nil, checkToolTitles},
	{"id-types", nil, checkIDs},
	{"unknown-method", nil, checkUnknownMethod},
	{"unknown-tool", nil, checkUnknownTool},
	{"tool-errors", nil, checkToolErrors},
	{"calls", func(t *trial) bool { return len(t.o.Call) > 0 }, checkCalls},
	{"login", func(t *trial) bool { return t.release.Auth.Kind == manifest.AuthQR }, checkLogin},
	{"malformed-line", nil, checkMalformed},
	{"long-line", nil, checkLongLine},
	{"exit-on-eof", nil, checkExit},
}

func (t *trial) run(ctx context.Context) (Report, error) {
	if err := t.pack(); err != nil {
		return Report{}, err
	}
	t.add("installable", "", nil)
	if declared.Any(t.release.Files) {
		if err := t.build(ctx); err != nil {
			t.add("dependencies", "", err)
			return t.report(), ctx.Err()
		}
		t.add("dependencies", strings.Join(t.tree.Warnings, "; "), nil)
	}
	seen, err := t.initialize(ctx)
	if stop, ok := errors.AsType[*startError](err); ok {
		return Report{}, stop.error
	}
	t.add("initialize", seen, err)
	for _, step := range steps {
		if err != nil || ctx.Err() != nil {
			break
		}
		if step.due != nil && !step.due(t) {
			continue
		}
		seen, fault := step.do(t)
		t.add(step.name, seen, fault)
		err = t.recover(ctx, fault)
	}
	t.close()
	t.checkStdout()
	return t.report(), ctx.Err()
}

// startError is a fault of this host's and not of the connector's.
type startError struct{ error }

// recover starts the connector again after a check that left nobody to talk to, so
// that one fault does not hide the others.
func (t *trial) recover(ctx context.Context, fault error) error {
	if _, gone := errors.AsType[*errGone](fault); !gone {
		return nil
	}
	t.close()
	_, err := t.initialize(ctx)
	return err
}

// close ends the process and keeps what is known of what it printed.
func (t *trial) close() {
	if t.wire == nil {
		return
	}
	t.wire.close()
	t.strays = append(t.strays, t.wire.takeStrays()...)
	t.noise = append(t.noise, t.wire.noise...)
	t.wire = nil
}

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

// ask sends a request of the current check; what else came meanwhile is for the
// check of standard output.
func (t *trial) ask(method, params string) (reply, error) {
	r, err := t.wire.ask(method, params, t.o.Patience)
	t.strays = append(t.strays, t.wire.takeStrays()...)
	return r, err
}

// result is the answer to a request that has to succeed, as an object.
func (t *trial) result(method, params string) (map[string]json.RawMessage, error) {
	r, err := t.ask(method, params)
	if err != nil {
		return nil, err
	}
	return object(method, r)
}

func object(method string, r reply) (map[string]json.RawMessage, error) {
	if r.Error != nil {
		return nil, fmt.Errorf("%s was answered with the error %s", method, r.Error)
	}
	var o map[string]json.RawMessage
	if err := json.Unmarshal(r.Result, &o); err != nil || o == nil {
		return nil, fmt.Errorf("the result of %s is %s, want an object", method, kind(r.Result))
	}
	return o, nil
}

// kind names a JSON value that is not what was wanted.
func kind(v json.RawMessage) string {
	switch {
	case len(v) == 0:
		return "missing"
	case v[0] == '[':
		return "a list"
	}
	return clip(v)
}

// firstAnswer is the patience for a process that has just been started.
func (t *trial) firstAnswer() time.Duration { return 3 * t.o.Patience }
