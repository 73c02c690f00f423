package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// result of measuring one line.
type result struct {
	ours, against, measured string
	kept                    bool
}

// spread is a list of times, of which the middle half matters.
type spread []time.Duration

func (s spread) at(quarter int) time.Duration {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[(len(sorted)-1)*quarter/4]
}

func (s spread) median() time.Duration { return s.at(2) }

func (s spread) String() string {
	return fmt.Sprintf("%s (%s–%s)", short(s.median()), short(s.at(1)), short(s.at(3)))
}

func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}

// ratio is of two medians.
func ratio(over, under spread) float64 {
	return float64(over.median()) / float64(under.median())
}

// inTurn times ours and theirs one after the other, so many times, and in each round the one first that was second in the
// round before. Each function returns what it took; the first round only warms up.
func inTurn(ctx context.Context, rounds int, ours, theirs func(round int) (time.Duration, error)) (a, b spread, err error) {
	for round := range rounds + 1 {
		both := []func(int) (time.Duration, error){ours, theirs}
		took := make([]time.Duration, 2)
		for turn := range both {
			which := (turn + round) % 2
			if took[which], err = both[which](round); err != nil {
				return nil, nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		if round > 0 {
			a, b = append(a, took[0]), append(b, took[1])
		}
	}
	return a, b, nil
}

// timed runs f and says how long it took.
func timed(f func() error) (time.Duration, error) {
	begun := time.Now()
	err := f()
	return time.Since(begun), err
}
