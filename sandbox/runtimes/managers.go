package runtimes

import (
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// managed is where version managers keep what they installed, below the home of whoever uses them.
var managed = map[string][]string{
	"node": {
		".nvm/versions/node/*/bin", ".config/nvm/versions/node/*/bin", ".local/share/fnm/node-versions/*/installation/bin",
		".fnm/node-versions/*/installation/bin", ".volta/tools/image/node/*/bin", ".asdf/installs/nodejs/*/bin",
		".local/share/mise/installs/node/*/bin", ".nodenv/versions/*/bin", "n/n/versions/node/*/bin",
	},
	"python3": {
		".pyenv/versions/*/bin", ".asdf/installs/python/*/bin", ".local/share/mise/installs/python/*/bin",
		".local/share/uv/python/*/bin", "miniconda3/bin", "miniforge3/bin", "anaconda3/bin",
	},
}

// mostManaged bounds how many versions of one manager's are asked.
const mostManaged = 8

// managedDirs are those of the daemon's own user, the newest version first: the PATH of a service has none of them. No other home is
// looked into, whatever HOME says, since what is found there is executed with the daemon's rights.
func (f *Finder) managedDirs(name string) []string {
	var all []string
	for _, pattern := range managed[name] {
		found, _ := filepath.Glob(filepath.Join(f.home(), pattern)) // the only error is a malformed pattern
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b string) int { return compare(versionIn(b), versionIn(a)) })
	return all[:min(len(all), mostManaged)]
}

func compare(a, b string) int {
	switch {
	case older(a, b):
		return -1
	case older(b, a):
		return 1
	}
	return 0
}

// versionIn is the version that is part of a manager's path; "0" where there is none, as in aliases.
func versionIn(path string) string {
	parts := strings.Split(path, "/")
	for _, part := range slices.Backward(parts) {
		number := strings.TrimPrefix(strings.TrimPrefix(part, "cpython-"), "v")
		if major, _, _ := strings.Cut(number, "."); isNumber(major) {
			return number
		}
	}
	return "0"
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// home is that of whom this process runs as.
func (f *Finder) home() string {
	if f.homeDir != "" {
		return f.homeDir
	}
	if u, err := user.LookupId(strconv.Itoa(os.Geteuid())); err == nil && filepath.IsAbs(u.HomeDir) {
		return u.HomeDir
	}
	return "/nonexistent"
}
