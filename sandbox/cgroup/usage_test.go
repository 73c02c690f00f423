package cgroup

import (
	"os"
	"path/filepath"
	"testing"
)

// A group counts what its processes used, in whatever hierarchy this host counts it.
func TestUsage(t *testing.T) {
	variants(t, func(t *testing.T, m *Manager) {
		g := newGroup(t, m, Limits{Pids: 64})
		cmd, _ := startIn(t, g, "/bin/sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done")
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(g.v1["cpu"], "cpuacct.usage")); err != nil && g.v2 == "" {
			t.Skip("this host counts processor time in a hierarchy of its own")
		}
		if used := cmd.ProcessState.UserTime(); g.Usage().CPU < used/2 {
			t.Errorf("counted %v of %v", g.Usage().CPU, used)
		}
	})
}
