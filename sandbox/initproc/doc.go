// Package initproc is the inside of a sandbox: the init that confines itself, layer by layer, starts the connector and stays as
// its pid 1, where it reaps orphans and ends the connector when the daemon asks.
//
// It does what its Config says and decides nothing: the daemon plans, the init applies and reports. It runs single-file in the
// main OS thread, because most of what it applies belongs to a thread and is inherited from there. It must stay tiny, for one of
// it lives beside every connector: x/sys and small packages of the standard library only, no garbage collection, no goroutine
// but the one that waits for the daemon's requests and its end.
package initproc
