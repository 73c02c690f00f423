//go:build !race

package main_test

// raceEnv builds the daemon as it is shipped.
var raceEnv = []string{"CGO_ENABLED=0"}
