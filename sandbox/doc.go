// Package sandbox turns a Spec, plain data, into a confined process, or into an error that names the layer that failed.
//
//	daemon                                   sandbox
//	Host.Start ── clone into new namespaces ─▶ init (pid 1, package initproc)
//	     │ ── config ────────────────────────▶ │ mounts, pivot_root, sockets, ids, capabilities, Landlock, seccomp
//	     │ ◀─ layers applied, sockets ──────── │
//	  re-check /proc, serve egress             │
//	     │ ── go ────────────────────────────▶ │ fork, exec ─▶ connector
//	     │ ── terminate, or end all ─────────▶ │ SIGTERM, SIGKILL ─▶ connector
//	     │ ◀─ its exit ─────────────────────── │ reap
//
// Nothing of the connector runs before the daemon has seen, in /proc, that the layers hold. A layer that cannot be had is
// either a reason not to start or a Missing entry in the Report, never a silence.
//
// Where things are: what is wanted in spec, mount and validate; what this machine can do in host, options, probe and fix; a start from
// start and launch by clone (and netspare) or container to confirm; what is told of it in layer, findings, requirements and report; the
// file view in view and etc, or where there are no mounts in hosttree and traverse, or with the driver none in none; a running process
// in process, stop, oom and usage.
//
// With the driver docker the clone is a container that an Engine makes, in which the same init comes to a socket of the daemon's: engine,
// container, containerspec, containermounts, rendezvous.
//
// The package never runs anything unconfined unless the driver "none" was chosen and confirmed. A Host owns one goroutine,
// which is tied to the OS thread that starts every init: the kernel kills an init when that thread dies, so that no sandbox
// outlives its daemon. A start leaves one more behind it until that thread has made the next network, a millisecond. A Process owns two,
// which wait for its end and for lack of memory, its egress.Server those that serve its network, and the Host's disk.Watcher one while any
// directory is watched.
package sandbox
