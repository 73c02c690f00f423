package runtimes

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shown returns the prefixes that have to be shown for an interpreter installed under prefix, or why it cannot be.
func shown(prefix string) (prefixes []string, refused string) {
	if inSystem(prefix) {
		return nil, ""
	}
	if why := RefusedPrefix(prefix); why != "" {
		return nil, "it is installed right in " + prefix + ": " + why
	}
	return []string{prefix}, ""
}

// RefusedPrefix says why a directory is never shown to connectors as what an interpreter is installed in, or is "". Of a prefix its
// bin, lib, include and share are seen: where those hold more than an interpreter, as in a home's .local, they would give that away.
func RefusedPrefix(prefix string) string {
	switch {
	case !filepath.IsAbs(prefix) || filepath.Clean(prefix) != prefix || strings.Contains(prefix, "\x00"):
		return "want a clean absolute path"
	case inSystem(prefix):
		return ""
	case slices.Contains([]string{"/", "/home", "/etc", "/var", "/tmp", "/opt", "/srv", "/mnt", "/run"}, prefix):
		return "it holds more than an interpreter"
	case filepath.Dir(prefix) == "/home" || filepath.Base(prefix) == ".local" || slices.Contains(homes(), prefix):
		return "a home holds more than an interpreter"
	}
	return ""
}

// inSystem is true of what every sandbox sees.
func inSystem(path string) bool {
	return slices.ContainsFunc([]string{"/usr", "/bin", "/sbin", "/lib", "/lib64"}, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, dir+"/")
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
