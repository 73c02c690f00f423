package cgroup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// limits are the names of the limits, which are also those of the controllers that enforce them.
func limits() []string { return []string{"memory", "pids", "cpu"} }

// place is the daemon's own group in one hierarchy.
type place struct {
	mount string // where the hierarchy is mounted
	group string // the group below it, "/" for the mount itself
}

func (p place) dir() string { return filepath.Join(p.mount, p.group) }

// layout is the daemon's own group in every hierarchy that matters.
type layout struct {
	v1 map[string]place // by controller, of those in limits()
	v2 *place           // nil = cgroup2 is not mounted, or not where we are
}

func (l layout) mode() string {
	switch {
	case len(l.v1) > 0 && l.v2 != nil:
		return "hybrid"
	case len(l.v1) > 0:
		return "v1"
	case l.v2 != nil:
		return "v2"
	}
	return "none"
}

func readLayout() (layout, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if errors.Is(err, fs.ErrNotExist) {
		return layout{}, nil // a kernel without control groups
	}
	if err != nil {
		return layout{}, err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return layout{}, err
	}
	return parseLayout(string(groups), string(mounts)), nil
}

// parseLayout joins what /proc/self/cgroup says (which group, in which hierarchy) with what mountinfo says (where that is mounted).
func parseLayout(groups, mounts string) layout {
	lay := layout{v1: map[string]place{}}
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // id, controllers, group
		if len(parts) != 3 {
			continue
		}
		if parts[1] == "" {
			if p, ok := findPlace(mounts, "cgroup2", "", parts[2]); ok {
				lay.v2 = &p
			}
			continue
		}
		for _, controller := range strings.Split(parts[1], ",") {
			if p, ok := findPlace(mounts, "cgroup", controller, parts[2]); ok && slices.Contains(limits(), controller) {
				lay.v1[controller] = p
			}
		}
	}
	return lay
}

// findPlace looks for a mount of the hierarchy that shows the group. In a container the mount may begin at the group itself.
func findPlace(mounts, fstype, controller, group string) (place, bool) {
	for line := range strings.Lines(mounts) {
		before, after, ok := strings.Cut(line, " - ")
		f, g := strings.Fields(before), strings.Fields(after) // id parent device root mountpoint … - type source options
		if !ok || len(f) < 5 || len(g) < 3 || g[0] != fstype {
			continue
		}
		if controller != "" && !slices.Contains(strings.Split(g[2], ","), controller) {
			continue
		}
		rel, err := filepath.Rel(f[3], group)
		if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			continue
		}
		return place{mount: f[4], group: filepath.Join("/", rel)}, true
	}
	return place{}, false
}
