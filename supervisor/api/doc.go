// Package api is the control socket: HTTP and JSON between the `majordomo` verbs and the daemon.
//
// The wire_ files have the shapes, shapes.go fills them; routes.go is the one table of what can be asked and who
// may ask it; the client_ files are the other end.
// Who asks is decided by the kernel (SO_PEERCRED), never by what a request says of itself. The package decides nothing
// else: every handler turns a request into one call of the core and its answer into a shape.
//
// Goroutines belong to net/http; Server.Close ends them.
package api
