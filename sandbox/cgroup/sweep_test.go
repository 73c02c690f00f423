package cgroup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A daemon that starts ends what an earlier one of its state directory left, and nothing else.
func TestSweep(t *testing.T) {
	variants(t, func(t *testing.T, other *Manager) {
		stateDir := t.TempDir()
		before := openManager(t, stateDir)
		if other.v2 == nil {
			os.Remove(before.v2.dir(""))
			before.v2 = nil
		}
		left, err := before.New(Start{Name: "left", Limits: Limits{Pids: 16}})
		if err != nil {
			t.Fatal(err)
		}
		leftover, _ := startIn(t, left, "/bin/sh", "-c", "setsid sleep 1000 & wait")
		spared := newGroup(t, other, Limits{Pids: 16})
		bystander, _ := startIn(t, spared, "/bin/sleep", "1000")

		after := openManager(t, stateDir)
		ours, err := after.New(Start{Name: "ours"})
		if err != nil {
			t.Fatal(err)
		}
		reaped := make(chan error, 1) // as init does for the children of a dead daemon
		go func() { reaped <- leftover.Wait() }()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if n, err := after.Sweep(ctx); n != 1 || err != nil {
			t.Errorf("swept %d groups, %v", n, err)
		}
		<-reaped
		for _, dir := range append(values(left.v1), left.v2) {
			if dir != "" && exists(dir) {
				t.Errorf("%s is still there", dir)
			}
		}
		if err := bystander.Process.Kill(); err != nil {
			t.Errorf("another daemon's connector was swept: %v", err)
		}
		_ = bystander.Wait()
		if err := ours.Remove(); err != nil {
			t.Error(err)
		}
	})
}

// The earlier daemon may have lived elsewhere in the hierarchy.
func TestSweepFindsOtherPlaces(t *testing.T) {
	m := openManager(t, t.TempDir())
	if m.v2 == nil {
		t.Skip("no cgroup2 here")
	}
	elsewhere := filepath.Join(m.v2.own.dir(), "majordomo-test-"+m.run)
	old := filepath.Join(elsewhere, m.base, "old-0-1")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(elsewhere)
	if n, err := m.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("swept %d groups, %v", n, err)
	}
	if exists(filepath.Dir(old)) {
		t.Errorf("%s is still there", filepath.Dir(old))
	}
	if !exists(m.v2.dir("")) {
		t.Error("our own base group is gone")
	}
}

func TestNames(t *testing.T) {
	m := openManager(t, t.TempDir())
	g, err := m.New(Start{Name: "../../etc mailbox"})
	if err != nil {
		t.Fatal(err)
	}
	defer waitGone(t, g)
	if strings.ContainsAny(g.name, "/. ") || !strings.HasPrefix(g.name, "------etc-mailbox-") {
		t.Errorf("named %q", g.name)
	}
}

func values(m map[string]string) (list []string) {
	for _, v := range m {
		list = append(list, v)
	}
	return list
}
