// Package daemon is `majordomo serve`: build.go puts the rooms together bottom up, run.go starts and stops them in
// order, reload.go follows the configuration while it runs.
//
//	Build ─ state ─ sandbox ─ packages ─ dependencies ─ core ─ configuration ─ doors
//	Run   ─ the start steps in that order ─ serve ─ the stop steps in the reverse order
//
// It decides nothing: whatever a member may ask for is behind supervisor. It must never answer anybody before
// everything is built. Its goroutines serve the two listeners and watch
// the configuration; Run ends them.
package daemon
