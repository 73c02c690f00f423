package runtimes

import (
	"strconv"
	"strings"
)

// need is what this house asks of a runtime.
type need struct{ pkg, minimum string }

// needs holds the oldest versions that the connectors of today start with, and Debian's names for them.
var needs = map[string]need{
	"node":    {"nodejs", "18"},
	"npm":     {"npm", "8"}, // the first that writes lockfiles of version 2 by default and reads version 3
	"python3": {"python3", "3.10"},
	"python":  {"python3", "3.10"},
	"pip":     {"python3-pip", "22"},
	"sh":      {"dash", "0"},
}

func missing(name string, tried []string) *MissingError {
	n := needs[name]
	return &MissingError{Name: name, Package: n.pkg, Minimum: n.minimum, Tried: tried}
}

// older compares dotted numbers; what is not a number counts as 0.
func older(version, minimum string) bool {
	have, want := strings.Split(version, "."), strings.Split(minimum, ".")
	for i := range want {
		a, b := 0, 0
		if i < len(have) {
			a, _ = strconv.Atoi(have[i])
		}
		b, _ = strconv.Atoi(want[i])
		if a != b {
			return a < b
		}
	}
	return false
}
