package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestSpread(t *testing.T) {
	s := spread{5 * time.Second, time.Millisecond, 3 * time.Second, 2 * time.Second, 4 * time.Second}
	if got := s.String(); got != "3s (2s–4s)" {
		t.Errorf("got %s", got)
	}
	if got := ratio(spread{2 * time.Second}, spread{time.Second}); got != 2 {
		t.Errorf("the ratio of 2 s and 1 s is %v", got)
	}
}

// Both are timed equally often, neither is always first, and the round that warms up does not count.
func TestInTurn(t *testing.T) {
	var order strings.Builder
	side := func(name string) func(int) (time.Duration, error) {
		return func(round int) (time.Duration, error) {
			order.WriteString(name)
			return time.Duration(round), nil
		}
	}
	a, b, err := inTurn(t.Context(), 3, side("a"), side("b"))
	if err != nil || order.String() != "abbaabba" || len(a) != 3 || len(b) != 3 || a[0] != 1 {
		t.Errorf("order %s, %v, %v, %v", order.String(), a, b, err)
	}
	fails := errors.New("no")
	if _, _, err := inTurn(t.Context(), 3, side("a"), func(int) (time.Duration, error) { return 0, fails }); !errors.Is(err, fails) {
		t.Errorf("got %v", err)
	}
}

// What is missed fails the run, what cannot be measured does not, and what breaks ends it.
func TestRun(t *testing.T) {
	answer := func(name string, kept bool, err error) line {
		return line{name, name, func(context.Context, string, int) (result, error) { return result{measured: "m", kept: kept}, err }}
	}
	kept, missed := answer("a", true, nil), answer("b", false, nil)
	absent, broken := answer("c", false, unmeasured{errors.New("no registry")}), answer("d", true, errors.New("broke"))
	for name, c := range map[string]struct {
		lines []line
		only  []string
		kept  bool
		says  string
		fails bool
	}{
		"kept":     {[]line{kept, absent}, nil, true, "not measured", false},
		"missed":   {[]line{kept, missed}, nil, false, "MISSED", false},
		"only one": {[]line{kept, missed}, []string{"a"}, true, "kept", false},
		"broken":   {[]line{broken}, nil, false, "promise", true},
	} {
		var out strings.Builder
		got, err := run(t.Context(), &out, c.lines, 11, c.only)
		if got != c.kept || (err != nil) != c.fails || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: %v, %v\n%s", name, got, err, out.String())
		}
	}
}
