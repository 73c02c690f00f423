package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Observe reads which of these limits the group of a process holds that somebody else made, such as a container engine. A limit that is not
// asked for counts as held where there is a group to hold it.
func Observe(pid int, l Limits) Report {
	lay, err := layoutOf(pid)
	r := Report{Mode: lay.mode()}
	for _, limit := range limits() {
		why := err
		if why == nil {
			why = lay.holds(limit, l)
		}
		if why != nil {
			r.Missing = append(r.Missing, Missing{Limit: limit, Reason: why.Error()})
			continue
		}
		r.InForce = append(r.InForce, limit)
	}
	return r
}

// Of is the group of a process that somebody else made for it and for what it starts, to be read and killed. Its name holds the mark: any other
// group the process may be in is not its own, and is left alone. Who made it removes it. Where it cannot be seen nothing is counted. On
// v2 the kernel is told to end the whole group when it runs out of memory.
func Of(pid int, mark string) *Group {
	lay, err := layoutOf(pid)
	if err != nil {
		return &Group{}
	}
	g := &Group{name: fmt.Sprint("of process ", pid), v1: map[string]string{}}
	for controller, p := range lay.v1 {
		if marked(p, mark) {
			g.v1[controller] = p.dir()
		}
	}
	if lay.v2 != nil && marked(*lay.v2, mark) {
		g.v2 = lay.v2.dir()
		_ = os.WriteFile(filepath.Join(g.v2, "memory.oom.group"), []byte("1"), 0) // not there before 4.19, nor on a hybrid host
	}
	return g
}

func marked(p place, mark string) bool {
	return mark != "" && strings.Contains(filepath.Base(p.group), mark)
}

func layoutOf(pid int) (layout, error) {
	groups, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return layout{}, err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return layout{}, err
	}
	return parseLayout(string(groups), string(mounts)), nil
}

// holds is nil where the group's file shows at most the limit.
func (lay layout) holds(limit string, l Limits) error {
	place, files, want := lay.v2, unifiedFiles, wanted(l)[limit]
	if p, v1 := lay.v1[limit]; v1 {
		place, files = &p, legacyFiles
	}
	if place == nil {
		return errNotMounted
	}
	text, err := os.ReadFile(filepath.Join(place.dir(), files[limit]))
	if err != nil {
		return err
	}
	value, _, _ := strings.Cut(strings.TrimSpace(string(text)), " ") // cpu.max has the period behind it
	var got int64
	if _, err := fmt.Sscan(value, &got); want > 0 && (err != nil || got < 0 || got > want) {
		return fmt.Errorf("%s of its control group is %s, not %d", files[limit], value, want)
	}
	return nil
}

var (
	legacyFiles  = map[string]string{"memory": "memory.limit_in_bytes", "pids": "pids.max", "cpu": "cpu.cfs_quota_us"}
	unifiedFiles = map[string]string{"memory": "memory.max", "pids": "pids.max", "cpu": "cpu.max"}
)

// wanted are the numbers that the files show.
func wanted(l Limits) map[string]int64 {
	quota, _ := cpuQuota(l.CPU)
	if l.CPU == 0 {
		quota = 0
	}
	return map[string]int64{"memory": l.Memory, "pids": int64(l.Pids), "cpu": quota}
}
