package supervisor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"majordomo/mcpclient"
	"majordomo/mcpclient/frame"
)

// Call calls a tool by the name agents see and returns the raw CallToolResult.
// The instance is started when it does not run; any number of callers wait for
// the one start. A call in flight when its process ends fails and is never
// repeated.
func (s *Supervisor) Call(ctx context.Context, member, tool string, args json.RawMessage) (json.RawMessage, error) {
	return s.CallTelling(ctx, member, tool, args, nil)
}

// CallTelling is Call; tell, if not nil, is given what the connector says of the
// call's progress, as raw parameters, and must not keep it waiting.
func (s *Supervisor) CallTelling(ctx context.Context, member, tool string, args json.RawMessage, tell func(json.RawMessage)) (json.RawMessage, error) {
	to, err := s.resolve(ctx, member, tool)
	if err != nil {
		return nil, err
	}
	if err := checkArguments(tool, args); err != nil {
		return nil, err
	}
	l, err := to.in.wake(ctx)
	if err != nil {
		return nil, err
	}
	defer l.release()
	begun := time.Now()
	result, err := s.dispatch(ctx, to, l, args, tell)
	s.o.Meter.Called(time.Since(begun), outcomeOf(err, ctx.Err() != nil), len(args), len(result))
	return result, err
}

// dispatch sends one call to one process.
func (s *Supervisor) dispatch(ctx context.Context, to target, l *live, args json.RawMessage, tell func(json.RawMessage)) (json.RawMessage, error) {
	limits := s.limits.Load()
	timed, heard, cancel := callContext(ctx, limits.CallTimeout, limits.CallCeiling)
	defer cancel()
	result, err := l.Session.Call(timed, to.tool, args, func(progress json.RawMessage) {
		heard()
		if tell != nil {
			tell(progress)
		}
	})
	if err == nil {
		if l.slow.CompareAndSwap(true, false) {
			to.in.post(func() { to.in.onPace(l) })
		}
		return result, nil
	}
	return nil, s.unanswered(ctx, timed, to, l, err)
}

// unanswered says why a call got no result. timed is ctx with the call's own limits.
func (s *Supervisor) unanswered(ctx, timed context.Context, to target, l *live, err error) error {
	connector := to.in.key.connector
	switch {
	case is[*mcpclient.RPCError](err), errors.Is(err, mcpclient.ErrAnswer), errors.Is(err, frame.ErrNoRoom):
		return fmt.Errorf("cannot call %s of %s: %w", to.tool, connector, err)
	case ctx.Err() == nil && timed.Err() != nil:
		if l.slow.CompareAndSwap(false, true) {
			to.in.post(func() { to.in.onPace(l) })
		}
		why := fmt.Sprintf("it did not answer %s: %v", to.tool, context.Cause(timed))
		return &Unavailable{Connector: connector, State: Degraded, Err: err, Why: why}
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	err = l.cause(ctx, err)
	return &Unavailable{Connector: connector, State: Crashed, Why: "it went away during the call: " + to.in.log.redact(err.Error()), Err: err}
}

// exitWait is how long the end of a process is waited for after that of its pipe.
const exitWait = 2 * time.Second

// cause is how the process ended whose conversation broke with err, which comes a
// moment before it and says less.
func (l *live) cause(ctx context.Context, err error) error {
	timer := time.NewTimer(exitWait)
	defer timer.Stop()
	select {
	case <-l.Process.Done():
		return l.Process.Cause()
	case <-timer.C:
	case <-ctx.Done():
	}
	return err
}

// onAlive takes over what pinging an idle connector found out. That it does not
// answer shows, and is no reason to end it.
func (i *instance) onAlive(generation uint64, alive bool) {
	if l := i.live.Load(); l != nil && l.generation == generation && l.slow.CompareAndSwap(alive, !alive) {
		i.onPace(l)
	}
}

// onPace moves between ready and degraded.
func (i *instance) onPace(l *live) {
	if i.live.Load() != l {
		return
	}
	if l.slow.Load() {
		i.to(Degraded)
	} else {
		i.to(Serving)
	}
}

// resolve finds where a call goes.
func (s *Supervisor) resolve(ctx context.Context, member, tool string) (target, error) {
	c, err := s.catalogue(ctx, member)
	if err != nil {
		return target{}, err
	}
	if to, ok := c.byName[tool]; ok {
		return to, nil
	}
	return target{}, s.noSuchTool(member, tool, c)
}

// noSuchTool says what there is instead.
func (s *Supervisor) noSuchTool(member, tool string, c *catalogue) error {
	missing := &NotFound{Kind: "tool", Name: tool}
	rest, ok := strings.CutPrefix(tool, "mcp__")
	connector, _, _ := strings.Cut(rest, "__")
	var has []string
	for _, t := range c.tools {
		if legal(t.Connector) == connector {
			has = append(has, t.Name)
		}
	}
	switch i := s.existing(key{member, connector}); {
	case ok && len(has) > 0:
		missing.Hint = connector + " has " + strings.Join(has, ", ")
	case ok && i != nil && i.stopped.Load():
		missing.Hint = connector + " is not offered: " + i.halted().Error()
	case ok && i != nil && i.live.Load() == nil:
		view := i.view.Load()
		missing.Hint = fmt.Sprintf("%s lists no tools; it is %s", connector, view.state)
		if view.cause != nil {
			missing.Hint += ": " + view.cause.Text
		}
	case ok && i == nil:
		missing.Hint = fmt.Sprintf("%s has not activated a connector %q; do so with: majordomo activate %s --member %s", member, connector, connector, member)
	default:
		missing.Hint = "list the tools there are with: majordomo tools --member " + member
	}
	return missing
}

// checkArguments wants one JSON object, or nothing.
func checkArguments(tool string, args json.RawMessage) error {
	invalid := func(why string) error {
		return &Invalid{What: "call " + tool, Problems: []string{"its arguments must be one JSON object: " + why}}
	}
	text := bytes.TrimSpace(args)
	switch {
	case len(text) == 0:
		return nil
	case !utf8.Valid(text):
		return invalid("they are not UTF-8")
	case !json.Valid(text):
		var v any
		return invalid(json.Unmarshal(text, &v).Error())
	case text[0] != '{':
		return invalid("they are something else")
	}
	return nil
}
