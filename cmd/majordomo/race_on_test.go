//go:build race

package main_test

// raceEnv builds the daemon with the race detector when the tests have it.
var raceEnv = []string{"CGO_ENABLED=1", "GOFLAGS=-race -buildvcs=false -trimpath"}
