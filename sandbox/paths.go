package sandbox

import (
	"path"
	"strings"
)

// What is said about paths here is about their text: nothing is looked at.

// absolute reports whether a path is absolute and clean.
func absolute(p string) bool {
	return strings.HasPrefix(p, "/") && path.Clean(p) == p && !strings.Contains(p, "\x00")
}

// within reports whether a path is a directory or lies below it.
func within(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

// isLocal reports whether a relative path stays below where it starts. "." is the directory itself.
func isLocal(p string) bool {
	return p != "" && !path.IsAbs(p) && path.Clean(p) == p && p != ".." && !strings.HasPrefix(p, "../") && !strings.Contains(p, "\x00")
}
