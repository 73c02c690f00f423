package author

import (
	"path"
	"slices"
)

// passing are the files that editors make beside the one they save: swap files, locks, backups, and the new text before it
// is renamed over the old. They come and go, and are no part of a connector.
var passing = []string{
	"*~", ".*.sw?", ".*.sw??", "4913", ".#*", "#*#", "*.pyc",
	"*___jb_tmp___", "*___jb_old___", ".goutputstream-*", ".~lock.*#", "*.crswap",
}

// Passing reports whether a file or directory of this name lies in a connector's folder only because somebody edits or
// runs it there.
func Passing(name string) bool {
	return slices.Contains(notShipped, name) || slices.ContainsFunc(passing, func(pattern string) bool {
		match, _ := path.Match(pattern, name)
		return match
	})
}
