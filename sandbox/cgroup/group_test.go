package cgroup

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const modeEat = "eat-memory"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == modeEat {
		eaten := bytes.Repeat([]byte{1}, 256<<20)
		fmt.Print(len(eaten), eaten[len(eaten)-1])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func openManager(t *testing.T, stateDir string) *Manager {
	t.Helper()
	m, err := Open(Options{StateDir: stateDir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// variants are a Manager as this host has it, and, on a hybrid host, as a v1 host would have it.
func variants(t *testing.T, run func(t *testing.T, m *Manager)) {
	t.Run("host", func(t *testing.T) {
		m := openManager(t, t.TempDir())
		t.Logf("%+v", m.Report())
		if !m.Report().Kill {
			t.Skip("this host gives no control groups")
		}
		run(t, m)
	})
	t.Run("v1 alone", func(t *testing.T) {
		m := openManager(t, t.TempDir())
		if m.v1 == nil || m.v2 == nil {
			t.Skip("this is no hybrid host")
		}
		os.Remove(m.v2.dir(""))
		m.v2 = nil
		run(t, m)
	})
}

func newGroup(t *testing.T, m *Manager, l Limits) *Group {
	t.Helper()
	g, err := m.New(Start{Name: "a test", Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Kill(); err != nil {
			t.Error(err)
		}
		waitGone(t, g)
	})
	return g
}

// waitGone removes the group once it is empty.
func waitGone(t *testing.T, g *Group) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := g.Wait(ctx); err != nil {
		t.Error(err)
	}
	if err := g.Remove(); err != nil {
		t.Error(err)
	}
}

// startIn starts a command born inside the group.
func startIn(t *testing.T, g *Group, name string, args ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if fd, ok := g.FD(); ok {
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, fd
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	leave, err := g.Enter()
	if err != nil {
		t.Fatal(err)
	}
	startErr := cmd.Start()
	if err := leave(); err != nil {
		t.Fatal(err)
	}
	if startErr != nil {
		t.Fatal(startErr)
	}
	return cmd, bufio.NewReader(out)
}

func needLimit(t *testing.T, m *Manager, limit string) {
	t.Helper()
	if !slices.Contains(m.Report().InForce, limit) {
		t.Skipf("no %s limit on this host: %+v", limit, m.Report().Missing)
	}
}

func TestMemoryLimit(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		needLimit(t, m, "memory")
		g := newGroup(t, m, Limits{Memory: 64 << 20})
		cmd, _ := startIn(t, g, "/proc/self/exe", modeEat)
		_ = cmd.Wait()
		if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
			t.Errorf("256 MiB in 64 MiB: %v", cmd.ProcessState)
		}
		if n, err := g.OOM(); n.Killed == 0 || n.Pool || err != nil {
			t.Errorf("counted %+v, %v", n, err)
		}
	})
}

func TestPidsLimit(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		needLimit(t, m, "pids")
		g := newGroup(t, m, Limits{Pids: 8})
		cmd, out := startIn(t, g, "/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 1000 & done; echo all started")
		line, err := out.ReadString('\n')
		if err != nil || !strings.Contains(line, "fork") {
			t.Errorf("13 processes in 8 printed %q, %v", line, err)
		}
		if err := g.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait()
	})
}

func TestCPULimit(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		needLimit(t, m, "cpu")
		g := newGroup(t, m, Limits{CPU: 0.2})
		started := time.Now()
		cmd, _ := startIn(t, g, "/bin/sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done")
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		used, took := cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), time.Since(started)
		if used > 30*time.Millisecond && took < 2*used {
			t.Errorf("used %v of processor time in %v, want a fifth", used, took)
		}
	})
}

// Trees that leave their session and their parent are killed whole, and the group can then be removed.
func TestKillTree(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		g := newGroup(t, m, Limits{Pids: 64})
		cmd, out := startIn(t, g, "/bin/sh", "-c", "for i in 1 2 3; do setsid sleep 1000 & (setsid sleep 1000 &) done; echo ready; wait")
		if line, err := out.ReadString('\n'); line != "ready\n" {
			t.Fatalf("%q %v", line, err)
		}
		// The shell said ready; its children may still be about to call setsid or exec, and are in the group all the same.
		if err := g.Remove(); err == nil {
			t.Fatal("a group that is not empty was removed")
		}
		if err := g.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if _, err := out.ReadString('\n'); err == nil {
			t.Error("somebody still prints")
		}
	})
}

// A thread that enters leaves as it came, and only the child is born inside.
func TestBornInside(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		g := newGroup(t, m, Limits{Memory: 64 << 20, Pids: 16, CPU: 1})
		runtime.LockOSThread()
		before := groupsOf(t, "thread-self")
		cmd, _ := startIn(t, g, "/bin/sleep", "1000")
		if after := groupsOf(t, "thread-self"); after != before {
			t.Errorf("the thread is left in\n%s", after)
		}
		runtime.UnlockOSThread()
		inside := groupsOf(t, fmt.Sprint(cmd.Process.Pid))
		if got, want := strings.Count(inside, g.name), len(g.v1)+min(len(g.v2), 1); got != want {
			t.Errorf("the child is in %d hierarchies of the group, want %d:\n%s", got, want, inside)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// While a thread of the daemon is inside, the daemon is listed in the group's v1 directories. A kill spares it.
func TestKillSparesTheDaemon(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		g := newGroup(t, m, Limits{Pids: 16})
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		leave, err := g.Enter()
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Kill(); err != nil {
			t.Error(err)
		}
		if err := leave(); err != nil {
			t.Error(err)
		}
	})
}

// A thread that could not leave would be killed with the group, and the daemon with it.
func TestLeaveWithoutDescriptors(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		g := newGroup(t, m, Limits{Pids: 16})
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		leave, err := g.Enter()
		if err != nil {
			t.Fatal(err)
		}
		defer noMoreFiles(t)()
		if err := leave(); err != nil {
			t.Error(err)
		}
	})
}

// noMoreFiles lets nothing be opened until it is undone.
func noMoreFiles(t *testing.T) (undo func()) {
	t.Helper()
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 0, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	return func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &old) }
}

func TestAdd(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		g := newGroup(t, m, Limits{Pids: 16})
		cmd := exec.Command("/bin/sleep", "1000")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		err := g.Add(cmd.Process.Pid)
		if err == nil {
			err = g.Kill()
		}
		if err != nil {
			_ = cmd.Process.Kill()
			t.Error(err)
		}
		_ = cmd.Wait()
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		g := newGroup(t, m, Limits{})
		cmd, _ := startIn(t, g, "/bin/sleep", "1000")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := g.Wait(ctx); err == nil {
			t.Error("a group with a process in it is empty")
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

func groupsOf(t *testing.T, pid string) string {
	t.Helper()
	b, err := os.ReadFile("/proc/" + pid + "/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
