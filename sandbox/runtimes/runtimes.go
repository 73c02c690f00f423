// Package runtimes finds the interpreters that connectors are written for: node with npm, python3 with pip, and sh.
//
// A version manager (pyenv, nvm, asdf, mise, volta) puts a shim on the PATH: a program that decides, by files in a
// home, which interpreter to start. A shim is asked here, outside, where it lives; the sandbox is given the real binary
// and the directories it needs, and nothing else of that home. The package must never hand out a path that stands for
// whatever a shim decides later, never name a home or the root as something to be shown, and keeps no state of its own:
// what was found is remembered in a Finder that the caller owns. It starts no goroutines.
package runtimes

import (
	"fmt"
	"strings"
)

// Runtime is one program, ready to be started outside or inside a sandbox.
type Runtime struct {
	Name string // as it was asked for: node, npm, python3, python, pip or sh
	Path string // the program to execute; never a shim
	// Args go before all other arguments: npm is a program of node's, pip a module of python's.
	Args []string
	// Prefixes are for sandbox.Spec.Runtimes: where it is installed, when that is not in the system's /usr.
	Prefixes []string
	Version  string // of npm for npm, of pip for pip; "" for sh
	// ABI is all that native code built for this runtime depends on: its binary interface, platform and libc.
	ABI string
}

// Command is the whole command line of the runtime with these arguments.
func (r Runtime) Command(args ...string) []string {
	return append(append([]string{r.Path}, r.Args...), args...)
}

// MissingError says that this host has no usable runtime, and what to install.
type MissingError struct {
	Name    string   // what was asked for
	Package string   // Debian's package, or packages
	Minimum string   // the oldest version that connectors can use
	Tried   []string // what was found and why it did not do
}

func (e *MissingError) Error() string {
	tried := ""
	if len(e.Tried) > 0 {
		tried = " (" + strings.Join(e.Tried, "; ") + ")"
	}
	return fmt.Sprintf("cannot find %s %s or newer%s: install the Debian package %s", e.Name, e.Minimum, tried, e.Package)
}
