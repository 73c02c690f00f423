package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"
)

// Whoever ends a service signals every process of it. Once started a connector is given its time, which its init would take from it.
func TestInitIsNotEndedBySignals(t *testing.T) {
	h := openHost(t)
	for range 20 {
		p := start(t, h, connector("cat"))
		for _, s := range []unix.Signal{unix.SIGTERM, unix.SIGINT, unix.SIGHUP} {
			if err := unix.Kill(p.PID(), s); err != nil {
				t.Error(err)
			}
		}
		if _, err := p.Stdin.WriteString("hello\n"); err != nil || line(t, p) != "hello" {
			t.Fatal(err)
		}
		end(p)
	}
}
