package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"
)

// leak opens a descriptor that is not close-on-exec.
func leak(t *testing.T) int {
	fd, err := unix.Open("/dev/null", unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

// doomedDaemon stands in for a daemon in TestDaemonKilled.
func doomedDaemon(string) {}
