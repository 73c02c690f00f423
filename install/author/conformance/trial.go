package conformance

import (
	"context"
	"errors"
	"strings"

	"majordomo/configs/manifest"
	"majordomo/deps/declared"
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
