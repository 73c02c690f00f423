// Command benchmark measures what docs/performance.md promises. ./scripts/bench builds and runs it.
//
// A line of the table is one promise: a file of its own, and an entry in lines. Each times two things in turn, ours and
// what it is measured against, so that whatever else the machine does meets both; the medians are compared. It must never
// touch anything but directories of its own, and reports what it could not measure as that, never as kept.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"

	"majordomo/deps"
)

// line is one promise.
type line struct {
	name, promise string
	measure       func(ctx context.Context, place string, rounds int) (result, error)
}

var lines = []line{
	{"check", "check of an unchanged package of 20 files: at most 200 µs, no process started", measureCheck},
	{"activation", "second member's activation of an npm connector: at least 20 times faster than npm ci", measureActivation},
	{"install", "install of 200 files: at most 2 times sha256sum, cp -a and sync", measureInstall},
	{"start", "sandboxed start to the first reply, without limits: at most 3.8 ms more than exec", measureStart},
	{"bubblewrap", "the same start: not slower than bubblewrap with the same layers", measureBubblewrap},
	{"limits", "the same start with limits: at most 12 ms more than exec", measureLimits},
	{"call", "call over the pipe: at most 1.15 times the least client there could be", measureCall},
	{"large", "result of 1 MB: at most 1.1 times the least client there could be", measureLarge},
	{"login", "50 node connectors at login: at most 1.25 times exec of the same 50", measureLogin},
	{"crash", "from a crash to serving again: less than 1 s more than the connector's own start", measureCrash},
	{"idle", "idle daemon: at most 25 MB resident", measureIdle},
	{"instances", "instance that runs and is not called: at most 150 KB in the daemon", measureInstances},
}

// unmeasured says that this machine cannot tell.
type unmeasured struct{ error }

func main() {
	rounds := flag.Int("rounds", 11, "how often each thing is timed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if place := os.Getenv(bareMark); place != "" {
		if err := serveBare(ctx, place); err != nil {
			fmt.Fprintln(os.Stderr, "benchmark:", err)
		}
		return
	}
	kept, err := run(ctx, os.Stdout, lines, max(*rounds, 11), flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
	}
	if err != nil || !kept {
		stop()
		os.Exit(1)
	}
}

// run prints the table, and says whether all that was measured is kept.
func run(ctx context.Context, to io.Writer, lines []line, rounds int, only []string) (kept bool, err error) {
	place, err := os.MkdirTemp("", "majordomo-benchmark-")
	if err != nil {
		return false, err
	}
	defer deps.Remove(place)                       // dependency trees are read-only
	if err := os.Chmod(place, 0o755); err != nil { // connectors run as somebody else
		return false, err
	}
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	defer out.Flush()
	fmt.Fprintf(out, "promise\tours\tagainst\tmeasured\tverdict\n")
	kept = true
	for _, l := range lines {
		if len(only) > 0 && !slices.Contains(only, l.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "== %s\n", l.name)
		r, err := l.measure(ctx, place, rounds)
		var cannot unmeasured
		switch {
		case errors.As(err, &cannot):
			fmt.Fprintf(out, "%s\t-\t-\t-\tnot measured\n", l.promise)
			fmt.Fprintf(os.Stderr, "cannot measure %s here: %v\n", l.name, err)
			continue
		case err != nil:
			return false, fmt.Errorf("cannot measure %s: %w", l.name, err)
		}
		kept = kept && r.kept
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", l.promise, r.ours, r.against, r.measured, verdict(r.kept))
	}
	return kept, nil
}

func verdict(kept bool) string {
	if kept {
		return "kept"
	}
	return "MISSED"
}
