// Package e2e holds the tests that use Majordomo as people do: the built binary, the example feed,
// real npm and PyPI packages, a real desktop client. It must never reach into a room; what it knows
// it learns from the command line and from /mcp. Each test owns and ends the daemons it starts.
package e2e
