package sandbox

import (
	"path"
	"slices"
	"strings"
)

// reserved is what the sandbox builds itself: nothing is mounted there or below.
var reserved = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/dev", "/sys"}

// problems of one mount.
func (m Mount) problems() (out []string) {
	switch {
	case !absolute(m.Target):
		out = append(out, "want a clean absolute path")
	case slices.Contains([]string{"/", "/etc", "/tmp", "/root"}, m.Target):
		out = append(out, "would cover what the sandbox builds there")
	case slices.ContainsFunc(reserved, func(dir string) bool { return within(m.Target, dir) }):
		out = append(out, "lies where the sandbox builds its own view")
	}
	switch {
	case m.Beneath == "" && !absolute(m.Source):
		out = append(out, "the source must be a clean absolute path")
	case m.Beneath == "" && m.Source == "/":
		out = append(out, "the source is the whole host")
	case m.Beneath != "" && !absolute(m.Beneath):
		out = append(out, "beneath must be a clean absolute path")
	case m.Beneath != "" && !isLocal(m.Source):
		out = append(out, "the source must be a clean path that stays beneath")
	}
	return out
}

func within(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

// isLocal reports whether a relative path stays below where it starts. "." is the directory itself.
func isLocal(p string) bool {
	return p != "" && !path.IsAbs(p) && path.Clean(p) == p && p != ".." && !strings.HasPrefix(p, "../") && !strings.Contains(p, "\x00")
}
