// Package api is the control socket: HTTP and JSON between the `majordomo` verbs and the daemon.
//
// wire.go has the shapes, routes.go the one table of what can be asked and who may ask it, client.go the other end.
// Who asks is decided by the kernel (SO_PEERCRED), never by what a request says of itself. The package decides nothing
// else: every handler turns a request into one call of the core and its answer into a shape.
//
// Goroutines belong to net/http; Server.Close ends them.
package api
