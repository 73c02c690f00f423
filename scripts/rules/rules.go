// Package rules holds the tests that keep the house in the shape docs/architecture.md draws: who
// may import whom, how long a file and a function may be, that every package says what it is for.
// It must never be imported by anything, and starts no goroutine.
package rules
