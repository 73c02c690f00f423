package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// settles is how long a daemon is left alone before it is looked at; collection is how often its runtime collects garbage
// where nothing happens.
const (
	settles    = 2 * time.Second
	collection = 2 * time.Minute
)

// measureIdle: the resident memory of a daemon that has nothing to run, its program's pages included.
func measureIdle(ctx context.Context, place string, rounds int) (result, error) {
	place = filepath.Join(place, "idle")
	feed, err := withConnectors(ctx, place, 0)
	if err != nil {
		return result{}, err
	}
	var all sizes
	for range rounds {
		size, err := resident(ctx, place, feed, 0, settles, "VmRSS")
		if err != nil {
			return result{}, err
		}
		all = append(all, size)
	}
	const most = 25_000_000
	return result{all.String(), "25.0 MB", megabytes(all.median()), all.median() <= most}, nil
}

// measureInstances: how much more memory of its own the daemon has when fifty connectors run that nobody calls. That is what
// the kernel counts, heap, stacks and the runtime's own: not what Go says of its heap alone, nor the pages of the program that
// come in with the first connector and are the same for all. What connectors and their sandboxes need themselves is theirs.
//
// It is taken once, when garbage was collected; both daemons are told to leave little of it lying about.
func measureInstances(ctx context.Context, place string, _ int) (result, error) {
	place = filepath.Join(place, "instances")
	defer littleGarbage()()
	feed, err := withConnectors(ctx, filepath.Join(place, "fifty"), many)
	if err != nil {
		return result{}, err
	}
	none, err := withConnectors(ctx, filepath.Join(place, "none"), 0)
	if err != nil {
		return result{}, err
	}
	with, err := resident(ctx, filepath.Join(place, "fifty"), feed, many, collection+30*time.Second, "RssAnon")
	if err != nil {
		return result{}, err
	}
	without, err := resident(ctx, filepath.Join(place, "none"), none, 0, settles, "RssAnon")
	if err != nil {
		return result{}, err
	}
	const most = 150_000
	each := (with - without) / many
	return result{megabytes(with), megabytes(without), fmt.Sprintf("%d KB each", each/1000), each <= most}, nil
}

// littleGarbage has daemons collect garbage when it is a fifth of what they hold, until it is undone.
func littleGarbage() (undo func()) {
	_ = os.Setenv("GOGC", "20") // a name and a value that always can be set
	return func() { _ = os.Unsetenv("GOGC") }
}

// resident starts a daemon and says how many bytes of it, by their name in /proc, are in memory some time after so many
// connectors are ready.
func resident(ctx context.Context, place, feed string, connectors int, after time.Duration, name string) (int64, error) {
	d, err := serveAgain(ctx, place, feed)
	if err != nil {
		return 0, err
	}
	defer d.stop()
	if connectors > 0 {
		if err := d.allReady(ctx, connectors); err != nil {
			return 0, err
		}
	}
	select {
	case <-time.After(after):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return d.status(name)
}

// sizes is a list of bytes.
type sizes []int64

func (s sizes) at(quarter int) int64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[(len(sorted)-1)*quarter/4]
}

func (s sizes) median() int64 { return s.at(2) }

func (s sizes) String() string {
	return fmt.Sprintf("%s (%s–%s)", megabytes(s.median()), megabytes(s.at(1)), megabytes(s.at(3)))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
