package runtimes

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shown returns the prefixes that have to be shown for an interpreter installed under prefix, or why it cannot be. The
// sandbox shows only those parts of a prefix that an interpreter consists of.
func shown(prefix string) (prefixes []string, refused string) {
	if inSystem(prefix) {
		return nil, ""
	}
	if open(prefix) {
		return nil, "it is installed right in " + prefix + ", which is not shown to connectors"
	}
	return []string{prefix}, ""
}

// inSystem is true of what every sandbox sees.
func inSystem(path string) bool {
	return slices.ContainsFunc([]string{"/usr", "/bin", "/sbin", "/lib", "/lib64"}, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, dir+"/")
	})
}

// open is true of places that hold more than an interpreter: the root, a home, and the directory in a home where
// programs, keyrings and histories lie side by side.
func open(prefix string) bool {
	if prefix == "/" || prefix == "/home" || filepath.Dir(prefix) == "/home" {
		return true
	}
	return slices.ContainsFunc(homes(), func(home string) bool {
		return prefix == home || prefix == filepath.Join(home, ".local")
	})
}

// homes are the homes of everybody on this host.
func homes() []string {
	all := []string{"/root", filepath.Clean(os.Getenv("HOME"))}
	file, err := os.Open("/etc/passwd")
	if err != nil {
		return all
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) > 5 {
			all = append(all, filepath.Clean(fields[5]))
		}
	}
	return all
}
