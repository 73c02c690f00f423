package sandbox

import (
	"os"
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

// refusedPrefix says why a directory is not shown as an interpreter's prefix. Its bin, lib, include and share would be seen: a
// home's ~/.local or a system root would give away more than an interpreter.
func refusedPrefix(prefix string) string {
	home, _ := os.UserHomeDir()
	switch {
	case !absolute(prefix):
		return "want a clean absolute path"
	case slices.Contains([]string{"/", "/root", "/home", "/etc", "/var", "/tmp", "/opt", "/srv", "/mnt", "/run", home}, prefix):
		return "not the prefix of an interpreter"
	case path.Dir(prefix) == "/home" || path.Base(prefix) == ".local":
		return "a home is not the prefix of an interpreter"
	case slices.ContainsFunc(reserved[1:], func(dir string) bool { return within(prefix, dir) }):
		return "not the prefix of an interpreter"
	}
	return ""
}

func within(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

// isLocal reports whether a relative path stays below where it starts. "." is the directory itself.
func isLocal(p string) bool {
	return p != "" && !path.IsAbs(p) && path.Clean(p) == p && p != ".." && !strings.HasPrefix(p, "../") && !strings.Contains(p, "\x00")
}
