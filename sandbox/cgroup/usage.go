package cgroup

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Usage is what a group uses; zero stands for what the host does not count.
type Usage struct {
	Memory int64         // bytes now, without file contents that the kernel can drop
	CPU    time.Duration // since the group was made
}

// Usage reads the counters of the group.
func (g *Group) Usage() Usage {
	u := Usage{CPU: g.processorTime()}
	if dir, ok := g.v1["memory"]; ok {
		u.Memory = memory(dir, "memory.usage_in_bytes", "total_inactive_file")
	} else if len(g.v1) == 0 && g.v2 != "" {
		u.Memory = memory(g.v2, "memory.current", "inactive_file")
	}
	return u
}

// processorTime is counted by the unified hierarchy whether or not it has the cpu controller, and by the old one where
// cpuacct shares the hierarchy of cpu.
func (g *Group) processorTime() time.Duration {
	if g.v2 != "" {
		micros, _ := readCount(filepath.Join(g.v2, "cpu.stat"), "usage_usec") // not there: not counted
		return time.Duration(micros) * time.Microsecond
	}
	return time.Duration(readNumber(filepath.Join(g.v1["cpu"], "cpuacct.usage")))
}

func memory(dir, current, droppable string) int64 {
	cached, _ := readCount(filepath.Join(dir, "memory.stat"), droppable) // not there: nothing to take off
	return max(readNumber(filepath.Join(dir, current))-int64(cached), 0)
}

func readNumber(file string) int64 {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n
}
