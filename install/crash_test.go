package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// crash is what a child process of the tests is told to do: a change, until the
// process kills itself at a step of it.
type crash struct {
	Base, State string
	Step        string // of Installer.reached, or a phase's first file
	Remove      bool
	NoExchange  bool
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
	ctx := context.Background()
	i, err := openInstaller(ctx, c.Base, c.State, func(func()) {})
	if err != nil {
		return err
	}
	at := func(step string) {
		if step == c.Step {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // the signal needs a moment
		}
	}
	i.reached = at
	if c.NoExchange {
		i.exchange = func(string, string) error { return errNoExchange }
	}
	if c.Remove {
		return i.Remove(ctx, "notes")
	}
	_, err = i.Install(ctx, Request{ID: "notes", Progress: func(e Event) {
		if e.Files == 1 {
			at("first file")
		}
	}})
	return err
}

// run lets a child process die at its step.
func (c crash) run(t *testing.T) {
	t.Helper()
	order, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+string(order))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child did not die at %q: %v\n%s", c.Step, err, out)
	}
}

// Whenever the daemon is killed, the package is the old one or the new one.
func TestKilledAtEveryStep(t *testing.T) {
	for _, tt := range []struct {
		crash
		want int // version found afterwards, when 1 was installed and 2 was coming
	}{
		{crash{Step: "first file"}, 1},
		{crash{Step: "downloaded"}, 1},
		{crash{Step: "receipt"}, 1},
		{crash{Step: "staged"}, 1},
		{crash{Step: "swapped"}, 2},
		{crash{Step: "projected"}, 2},
		{crash{Step: "staged", NoExchange: true}, 1},
		{crash{Step: "parked", NoExchange: true}, 1}, // nothing is in place until the next start
		{crash{Step: "swapped", NoExchange: true}, 2},
		{crash{Step: "taken away", Remove: true}, 0},
		{crash{Step: "projected", Remove: true}, 0},
	} {
		t.Run(fmt.Sprintf("%s remove=%v fallback=%v", tt.Step, tt.Remove, tt.NoExchange), func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.publish("notes", 1, map[string]string{"only-in-1": "x", "lib/a": "1"})
			c := tt.crash
			c.Base, c.State = s.dir, t.TempDir()
			mustInstall(t, newInstaller(t, c.Base, c.State), "notes")
			s.publish("notes", 2, map[string]string{"only-in-2": "x", "lib/a": "2"})
			c.run(t)

			i := newInstaller(t, c.Base, c.State)
			whole(t, i, "notes", tt.want)
			clean(t, i)
			mustInstall(t, i, "notes") // and life goes on
			whole(t, i, "notes", 2)
		})
	}
}

// A first install that is killed leaves nothing or everything.
func TestFirstInstallKilled(t *testing.T) {
	for step, want := range map[string]int{"first file": 0, "staged": 0, "swapped": 1} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.publish("notes", 1, nil)
			c := crash{Base: s.dir, State: t.TempDir(), Step: step}
			c.run(t)
			i := newInstaller(t, c.Base, c.State)
			whole(t, i, "notes", want)
			clean(t, i)
		})
	}
}
