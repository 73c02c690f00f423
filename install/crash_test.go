package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// crash is what a child process of the tests is told to do: a change, until the
// process kills itself at a step of it.
type crash struct {
	Base, State string
	Do          string // first | update | rollback | remove
	NoExchange  bool
	Count       int64 // of the step at which it dies; 0 = at none
}

const crashEnv = "MAJORDOMO_TEST_CRASH"

func TestMain(m *testing.M) {
	if order := os.Getenv(crashEnv); order != "" {
		fmt.Fprintln(os.Stderr, "survived:", crashNow(order))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func crashNow(order string) error {
	var c crash
	if err := json.Unmarshal([]byte(order), &c); err != nil {
		return err
	}
	i, err := openInstaller(context.Background(), c.Base, c.State, func(func()) {})
	if err != nil {
		return err
	}
	var steps atomic.Int64
	return c.do(i, func(string) {
		if steps.Add(1) == c.Count {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // the signal needs a moment
		}
	})
}

// do makes the change and tells of every step of it, some of them from several
// goroutines.
func (c crash) do(i *Installer, at func(step string)) error {
	ctx := context.Background()
	i.reached = at
	defer func() { i.reached = func(string) {} }()
	if c.NoExchange {
		i.exchange = func(string, string) error { return errNoExchange }
	}
	var err error
	switch c.Do {
	case "remove":
		return i.Remove(ctx, "notes")
	case "rollback":
		_, err = i.Rollback(ctx, "notes", []string{"ann"})
	default:
		_, err = i.Install(ctx, Request{ID: "notes", AcceptWider: true, Trial: []string{"ann", "bob"}, Progress: func(e Event) {
			if e.File != "" {
				at("file")
			}
		}})
	}
	return err
}

// run lets a child process die at its step.
func (c crash) run(t *testing.T) {
	t.Helper()
	out, err := c.command(t).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child did not die at step %d: %v\n%s", c.Count, err, out)
	}
}

func (c crash) order(t *testing.T) string {
	t.Helper()
	order, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(order)
}

// scene is a state directory in which a change is due: of notes, between a
// version that is kept, one that is installed and one that is offered, next to
// another connector that nobody means.
type scene struct {
	t      *testing.T
	c      crash
	before string // what is installed and kept, see look
	after  string
	other  map[string]string
}

// set builds the scene for a change, and finds out in a second one what the
// change leads to and through how many steps.
func set(t *testing.T, c crash, state string) (s scene, steps []string) {
	t.Helper()
	rehearsal := arrange(t, c, t.TempDir())
	i := newInstaller(t, rehearsal.c.Base, rehearsal.c.State)
	count := make(chan string, 1000)
	if err := rehearsal.c.do(i, func(step string) { count <- step }); err != nil {
		t.Fatal(err)
	}
	close(count)
	for step := range count {
		steps = append(steps, step)
	}
	s = arrange(t, c, state)
	s.after = look(t, i)
	if s.after == s.before || rehearsal.before != s.before {
		t.Fatalf("no change: %s", s.after)
	}
	if tried := strings.Contains(s.after, "Members:[ann"); tried != (c.Do == "update" || c.Do == "rollback") {
		t.Errorf("after %s it is on trial: %v: %s", c.Do, tried, s.after)
	}
	return s, steps
}

func arrange(t *testing.T, c crash, state string) scene {
	t.Helper()
	shop := newShop(t)
	c.Base, c.State = shop.dir, state
	i := newInstaller(t, c.Base, c.State)
	shop.publish("other", 1, map[string]string{"lib/x": "y"})
	mustInstall(t, i, "other")
	versions := 3
	if c.Do == "first" {
		versions = 1
	}
	for version := 1; version <= versions; version++ {
		files := map[string]string{fmt.Sprintf("only-in-%d", version): "x"}
		for n := range 24 {
			files[fmt.Sprintf("lib/%d/a", n)] = fmt.Sprint(version)
		}
		shop.publish("notes", version, files)
		if version < versions {
			mustInstall(t, i, "notes")
		}
	}
	return scene{t: t, c: c, before: look(t, i), other: tree(t, i.paths.Connector("other"))}
}

// look is everything there is of notes, but for the receipts, which have times:
// what is in place, what is kept, and whether the one has to be proven.
func look(t *testing.T, i *Installer) string {
	t.Helper()
	var b strings.Builder
	for _, dir := range []string{i.paths.Connector("notes"), i.paths.Previous("notes")} {
		files := tree(t, dir)
		if rec, err := readReceipt(dir, "notes"); err == nil {
			fmt.Fprintf(&b, "version %d with %d files of digest %v; ", rec.Release.Version, len(files), rec.Digest)
			for _, f := range rec.Release.Files {
				if err := compare(dir+"/"+f.Path, f); err != nil {
					fmt.Fprintf(&b, "broken: %v; ", err)
				}
			}
		} else {
			fmt.Fprintf(&b, "no receipt and %d files; ", len(files))
		}
	}
	trials, err := i.Trials(t.Context())
	fmt.Fprintf(&b, "on trial: %+v, %v", trials, err)
	return b.String()
}

// check starts the daemon's installer again and holds the world to what was
// promised. It reports whether the change has happened.
func (s scene) check(t *testing.T, label string) (done bool) {
	t.Helper()
	i := newInstaller(t, s.c.Base, s.c.State)
	now := look(t, i)
	if now != s.before && now != s.after {
		t.Errorf("%s: neither old nor new:\n%s\nbefore %s\nafter  %s", label, now, s.before, s.after)
	}
	clean(t, i)
	for name, text := range tree(t, i.paths.Connector("other")) {
		if s.other[name] != text {
			t.Errorf("%s: %s of another connector was touched", label, name)
		}
	}
	for _, id := range []string{"notes", "other"} {
		row, err := i.catalog.Get(t.Context(), id)
		text, _ := os.ReadFile(i.paths.Connector(id) + "/" + receiptFile)
		if err != nil || !bytes.Equal(row, text) {
			t.Errorf("%s: the catalog and %s disagree (%v)", label, id, err)
		}
	}
	return now == s.after
}
