// Package selftest is a program that tries, from inside a sandbox, what no sandbox may permit. Package sandbox runs it and compares.
//
// Every attempt is harmless where it succeeds: it only asks, or names something that is the daemon's own or does not exist. The package must
// never decide what counts as held: it says what happened. It starts no goroutine.
package selftest

import (
	"encoding/json"
	"fmt"
	"os"
)

// Name is the argument with which a program becomes this one.
const Name = "majordomo-self-test"

// ControlVariable names a file that must be readable: the test itself works.
const ControlVariable = "MAJORDOMO_CONTROL"

// Target is what the daemon has prepared to be reached for. It travels as JSON in the argument after Name.
type Target struct {
	Secret   string // a file of the daemon's that anybody may read, by its path on the host
	Variable string // in the daemon's environment
	PID      int    // the daemon's
	TCP      string // a listener on the host's loopback
	Abstract string // a unix socket without a file
}

// Result is what came of one attempt.
type Result struct {
	Attempt string `json:"attempt"`
	Layer   string `json:"layer"`
	Error   string `json:"error"` // "" = it succeeded
}

// Main tries everything, prints one JSON array and never returns.
func Main(arg string) {
	var t Target
	if err := json.Unmarshal([]byte(arg), &t); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := json.NewEncoder(os.Stdout).Encode(Try(t)); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// Try tries everything, here.
func Try(t Target) []Result {
	results := []Result{}
	for _, a := range attempts {
		r := Result{Attempt: a.name, Layer: a.layer}
		if err := a.try(t); err != nil {
			r.Error = err.Error()
		}
		results = append(results, r)
	}
	return results
}

// Control is the layer of the attempt that has to succeed.
const Control = "control"
