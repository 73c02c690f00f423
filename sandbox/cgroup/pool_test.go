package cgroup

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// inPool makes a group of the pool "ann".
func inPool(t *testing.T, m *Manager, l Limits) *Group {
	t.Helper()
	g, err := m.New(Start{Name: "a test", Pool: "ann", Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = g.Kill()
		waitGone(t, g)
	})
	return g
}

// setTotals waits out what the kernel needs to take memory back.
func setTotals(t *testing.T, m *Manager, l Limits) {
	t.Helper()
	if err := m.SetTotals(l); err != nil {
		t.Fatal(err)
	}
}

// All of a pool together have no more processes than its total; a group of another pool is not counted, and a total that is changed holds
// for what runs.
func TestPoolPids(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		needLimit(t, m, "pids")
		setTotals(t, m, Limits{Pids: 8})
		one, two := inPool(t, m, Limits{Pids: 64}), inPool(t, m, Limits{Pids: 64})
		cmd, out := startIn(t, one, "/bin/sh", "-c", "for i in 1 2 3 4 5; do sleep 1000 & done; echo ready; wait")
		defer func() { _ = cmd.Wait() }()
		defer func() { _ = one.Kill() }()
		if line, err := out.ReadString('\n'); line != "ready\n" {
			t.Fatalf("%q %v", line, err)
		}
		const more = "for i in 1 2 3 4 5; do sleep 1000 & done; echo all"
		second, out := startIn(t, two, "/bin/sh", "-c", more)
		if line, err := out.ReadString('\n'); err != nil || !strings.Contains(line, "fork") {
			t.Errorf("12 processes in a pool of 8 printed %q, %v", line, err)
		}
		_ = two.Kill()
		_ = second.Wait()
		setTotals(t, m, Limits{})
		three := inPool(t, m, Limits{Pids: 64})
		third, out := startIn(t, three, "/bin/sh", "-c", more)
		if line, err := out.ReadString('\n'); line != "all\n" {
			t.Errorf("without a total: %q, %v", line, err)
		}
		_ = three.Kill()
		_ = third.Wait()
	})
}

// A pool that is out of memory loses what took it, and that is told from a group that is out of its own. Others of the pool hear it and live.
func TestPoolMemory(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		needLimit(t, m, "memory")
		setTotals(t, m, Limits{Memory: 64 << 20})
		for _, c := range []struct {
			why  string
			own  int64
			pool bool
		}{{"the pool is full", 1 << 30, true}, {"the group is full", 32 << 20, false}} {
			bystander := inPool(t, m, Limits{Memory: 1 << 30})
			lives, _ := startIn(t, bystander, "/bin/sleep", "1000")
			g := inPool(t, m, Limits{Memory: c.own})
			spared, killed := watch(t, bystander), watch(t, g)
			cmd, _ := startIn(t, g, "/proc/self/exe", modeEat)
			_ = cmd.Wait()
			if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
				t.Errorf("%s: %v", c.why, cmd.ProcessState)
			}
			if told, on := killed(); !told && on {
				t.Errorf("%s: nobody was told", c.why)
			}
			if got, err := g.OOM(); got.Killed == 0 || got.Pool != c.pool || err != nil {
				t.Errorf("%s: %+v, %v", c.why, got, err)
			}
			if told, _ := spared(); told {
				t.Errorf("%s: another of the pool is said to be killed", c.why)
			}
			if got, err := bystander.OOM(); got != (OOM{}) || err != nil {
				t.Errorf("%s: of the bystander: %+v, %v", c.why, got, err)
			}
			_ = lives.Process.Kill()
			_ = lives.Wait()
		}
	})
}

// watch returns what ends a Watch and says whether it told of a kill; on = there is one.
func watch(t *testing.T, g *Group) (end func() (told, on bool)) {
	t.Helper()
	w, err := g.WatchOOM()
	if err != nil {
		t.Fatal(err)
	}
	if w == nil {
		return func() (bool, bool) { return false, false }
	}
	told := make(chan bool, 1)
	go func() { told <- w.Killed() }()
	return func() (bool, bool) {
		if n, _ := g.killed(); n == 0 {
			w.Stop()
		}
		was := <-told
		w.Close()
		return was, true
	}
}

// A group may be allowed more processor time than its pool has.
func TestPoolCPU(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		needLimit(t, m, "cpu")
		setTotals(t, m, Limits{CPU: 0.2})
		g := inPool(t, m, Limits{CPU: 1})
		started := time.Now()
		cmd, _ := startIn(t, g, "/bin/sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done")
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		used, took := cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), time.Since(started)
		if used > 30*time.Millisecond && took < 2*used {
			t.Errorf("used %v of processor time in %v, want a fifth", used, took)
		}
		// Less than a group in the pool is allowed is refused by v1, until the groups in it are made anew; the rest is in force.
		setTotals(t, m, Limits{})
		before := inPool(t, m, Limits{CPU: 1})
		refused := m.SetTotals(Limits{CPU: 0.3, Pids: 99}) != nil
		if _, old := m.lay.v1["cpu"]; refused != old {
			t.Errorf("refused: %v, on v1: %v", refused, old)
		}
		if got := before.pool.total().Pids; got != 99 && slices.Contains(m.Report().InForce, "pids") {
			t.Errorf("pids are %d", got)
		}
		waitGone(t, g)
		waitGone(t, before)
		after := inPool(t, m, Limits{CPU: 1})
		if got := after.pool.total().CPU; got != 0.3 {
			t.Errorf("the total is %v", got)
		}
	})
}

// A pool is there once, as long as a group is in it.
func TestPoolComesAndGoes(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		var groups []*Group
		for range 2 {
			g, err := m.New(Start{Name: "a test", Pool: "ann"})
			if err != nil {
				t.Fatal(err)
			}
			groups = append(groups, g)
		}
		p := groups[0].pool
		if p == nil || p != groups[1].pool {
			t.Fatalf("pools %v and %v", p, groups[1].pool)
		}
		for n, g := range groups {
			for _, h := range p.dirs {
				if !exists(h.dir) {
					t.Errorf("with %d groups %s is gone", 2-n, h.dir)
				}
			}
			if err := g.Remove(); err != nil {
				t.Error(err)
			}
		}
		for _, h := range p.dirs {
			if exists(h.dir) {
				t.Errorf("empty, %s is still there", h.dir)
			}
		}
		again := inPool(t, m, Limits{})
		if again.pool == p {
			t.Error("a pool that was removed is used again")
		}
		if m.Report().NoPools != "" {
			t.Errorf("pools are said not to hold: %s", m.Report().NoPools)
		}
	})
}

// What an earlier daemon left in a pool is found there.
func TestSweepPools(t *testing.T) {
	variants(t, func(t *testing.T, other *Manager) {
		stateDir := t.TempDir()
		before := openManager(t, stateDir)
		if other.v2 == nil {
			os.Remove(before.v2.dir(""))
			before.v2 = nil
		}
		left, err := before.New(Start{Name: "left", Pool: "ann", Limits: Limits{Pids: 16}})
		if err != nil {
			t.Fatal(err)
		}
		leftover, _ := startIn(t, left, "/bin/sh", "-c", "setsid sleep 1000 & wait")
		reaped := make(chan error, 1) // as init does for the children of a dead daemon
		go func() { reaped <- leftover.Wait() }()
		after := openManager(t, stateDir)
		ours := inPool(t, after, Limits{})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if n, err := after.Sweep(ctx); n != 1 || err != nil {
			t.Errorf("swept %d groups, %v", n, err)
		}
		<-reaped
		for _, h := range left.pool.dirs {
			if exists(h.dir) {
				t.Errorf("%s is still there", h.dir)
			}
		}
		for _, h := range ours.pool.dirs {
			if !exists(h.dir) {
				t.Errorf("%s was swept", h.dir)
			}
		}
	})
}

// What is written on v2, where this host has none of its controllers; and how the events are read there.
func TestPoolOnV2(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pool")
	h := hold{dir: dir, controllers: []string{"memory", "pids", "cpu"}, unified: true}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"cgroup.subtree_control", "memory.max", "pids.max", "cpu.max"} {
		put(file, "")
	}
	p := &pool{dirs: []hold{h}}
	if err := h.make(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		totals            Limits
		memory, pids, cpu string
	}{
		{Limits{Memory: 1 << 30, Pids: 100, CPU: 1.5}, "1073741824", "100", "150000 100000"},
		{Limits{}, "max", "max", "max 100000"},
		{Limits{Memory: 1 << 30}, "1073741824", "max", "max 100000"},
	} {
		if err := p.set(c.totals); err != nil {
			t.Error(err)
		}
		for file, want := range map[string]string{"memory.max": c.memory, "pids.max": c.pids, "cpu.max": c.cpu, "cgroup.subtree_control": "+cpu"} {
			if got, _ := os.ReadFile(filepath.Join(dir, file)); string(got) != want {
				t.Errorf("%+v: %s holds %q, want %q", c.totals, file, got, want)
			}
		}
	}
	g := &Group{v2: filepath.Join(dir, "g"), pool: p}
	for _, c := range []struct {
		own, pool string
		want      OOM
	}{
		{"oom 0\noom_kill 0\n", "oom 3\n", OOM{}},
		{"oom 0\noom_kill 2\n", "oom 3\n", OOM{2, true}},
		{"oom 1\noom_kill 2\n", "oom 3\n", OOM{2, false}},
		{"oom 0\noom_kill 2\n", "oom 0\n", OOM{2, false}}, // the whole machine's memory
	} {
		put("g/memory.events", c.own)
		put("memory.events.local", c.pool)
		if got, err := g.OOM(); got != c.want || err != nil {
			t.Errorf("%q in a pool with %q: %+v, %v", c.own, c.pool, got, err)
		}
	}
}

// A group in a pool costs no more than one that is in none, but for the first.
func BenchmarkNew(b *testing.B) {
	m, err := Open(Options{StateDir: b.TempDir(), Totals: trial()})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, pool := range []string{"", "ann"} {
		b.Run("pool="+pool, func(b *testing.B) {
			first, err := m.New(Start{Name: "first", Pool: pool, Limits: trial()})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				g, err := m.New(Start{Name: "bench", Pool: pool, Limits: trial()})
				if err != nil {
					b.Fatal(err)
				}
				leave, err := g.Enter()
				if err != nil {
					b.Fatal(err)
				}
				cmd := exec.Command("/bin/true")
				if err := cmd.Start(); err != nil {
					b.Fatal(err)
				}
				_ = leave()
				_ = cmd.Wait()
				_ = g.Remove()
			}
			_ = first.Remove()
		})
	}
}
