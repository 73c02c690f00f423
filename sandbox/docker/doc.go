// Package docker is what the driver docker asks of a Docker Engine: one hardened container for one start of a connector, its end, and the
// removal of what an earlier daemon left.
//
//	Engine.Start ── create, start ─▶ container: majordomo-init as pid 1, which connects to the daemon's control socket
//	Container    ◀─ pidfd ───────── its init, on this host: signals and the end of it do not pass through the Engine
//	Container.Wait ── remove ──────▶ nothing is left but the image
//
// What is in the container is said on that socket and is not this package's: it never speaks to an init, and never runs a command in a
// container. It never changes a container, an image or a network that does not bear its owner's label, and never pulls an image. A
// Container owns one goroutine, which waits for its end.
package docker
