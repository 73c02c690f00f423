package install

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"majordomo/configs/manifest"
)

const receiptFile = manifest.Receipt

// changes are what an installer can be killed in the middle of, and the step
// from which on it has happened.
var changes = []struct {
	crash
	commit string
}{
	{crash{Do: "first"}, "swapped"},
	{crash{Do: "update"}, "swapped"},
	{crash{Do: "update", NoExchange: true}, "swapped"},
	{crash{Do: "rollback"}, "swapped"},
	{crash{Do: "rollback", NoExchange: true}, "swapped"},
	{crash{Do: "remove"}, "taken away"},
}

func (c crash) name() string {
	if c.NoExchange {
		return c.Do + " by two renames"
	}
	return c.Do
}

// Whenever the daemon is killed, the package is the old one or the new one, and
// so is the one that is kept. With --long at every step there is, and at random
// instants; else at each step that a change has once, and the first file.
func TestKilledAtEveryStep(t *testing.T) {
	var mu sync.Mutex
	kills := 0
	t.Run("kill", func(t *testing.T) {
		for _, tt := range changes {
			t.Run(tt.name(), func(t *testing.T) {
				t.Parallel()
				n := killAtSteps(t, tt.crash, tt.commit)
				if long() {
					n += killAtInstants(t, tt.crash, 30)
				}
				mu.Lock()
				defer mu.Unlock()
				kills += n
			})
		}
	})
	t.Logf("%d kills", kills)
	if long() && kills < 200 {
		t.Errorf("only %d kills", kills)
	}
}

func long() bool { return os.Getenv("MAJORDOMO_LONG") != "" }

func killAtSteps(t *testing.T, c crash, commit string) (kills int) {
	rehearsed, steps := set(t, c, t.TempDir())
	committed := slices.Index(steps, commit)
	if committed < 0 {
		t.Fatalf("no step %q in %v", commit, steps)
	}
	for n, step := range steps {
		if !long() && slices.Index(steps, step) != n {
			continue
		}
		s := arrange(t, c, t.TempDir())
		s.after = rehearsed.after
		s.c.Count = int64(n + 1)
		s.c.run(t)
		kills++
		label := fmt.Sprintf("%s killed at step %d, %s", c.name(), n+1, step)
		if done := s.check(t, label); done != (n >= committed) {
			t.Errorf("%s: it happened: %v", label, done)
		}
		s.again(t, label)
	}
	return kills
}

// again shows that life goes on: the change can be made, or was.
func (s scene) again(t *testing.T, label string) {
	t.Helper()
	i := newInstaller(t, s.c.Base, s.c.State)
	if look(t, i) == s.before {
		if err := s.c.do(i, func(string) {}); err != nil {
			t.Errorf("%s: not again: %v", label, err)
		}
	}
	if got := look(t, i); got != s.after {
		t.Errorf("%s: after it was made again: %s, want %s", label, got, s.after)
	}
}

// killAtInstants kills from outside, anywhere: inside a write, inside the
// database. One that came too late counts for nothing.
func killAtInstants(t *testing.T, c crash, tries int) (kills int) {
	rehearsed, _ := set(t, c, t.TempDir())
	took := rehearsed.survive(t)
	for n := range tries {
		s := arrange(t, c, t.TempDir())
		s.after = rehearsed.after
		cmd := s.c.command(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(rand.Int64N(int64(took))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		if cmd.ProcessState.ExitCode() < 0 {
			kills++
		}
		label := fmt.Sprintf("%s killed at random, %d", c.name(), n)
		s.check(t, label)
		s.again(t, label)
	}
	return kills
}

// survive makes the whole change in a child process and tells how long it took.
func (s scene) survive(t *testing.T) time.Duration {
	begun := time.Now()
	_ = s.c.command(t).Run() // exit code 1 means that it survived
	return time.Since(begun)
}

// A disk that is full at the worst moment is as good as a kill.
func TestFullDiskAtEveryChange(t *testing.T) {
	for _, tt := range changes {
		t.Run(tt.name(), func(t *testing.T) {
			s, _ := set(t, tt.crash, smallDisk(t))
			i := newInstaller(t, s.c.Base, s.c.State)
			filler := fill(t, s.c.State)
			err := s.c.do(i, func(string) {})
			if err == nil && look(t, i) != s.after {
				t.Error("it is said to be done and is not")
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			if done := s.check(t, tt.name()); done != (err == nil) {
				t.Errorf("it happened: %v, and it was said: %v", done, err)
			}
			s.again(t, tt.name())
		})
	}
}

func (c crash) command(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+c.order(t))
	return cmd
}
