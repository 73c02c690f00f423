package sandbox

import (
	"fmt"
	"os"
	"testing"
)

// Each start has a network of its own, whether it was made ahead or not, and the thread that starts is back in the daemon's afterwards.
func TestNetworkMadeAhead(t *testing.T) {
	h := openHost(t)
	if os.Geteuid() != 0 || !h.Report().Has(Net) {
		t.Skip("no network namespace is made ahead here")
	}
	seen := map[string]bool{ownNamespace("net"): true}
	for range 3 {
		p, err := h.Start(t.Context(), connector("cat"))
		if err != nil {
			t.Fatal(err)
		}
		defer end(p)
		theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", p.PID()))
		if err != nil || seen[theirs] {
			t.Errorf("a start is in %s, %v; seen before: %v", theirs, err, seen)
		}
		seen[theirs] = true
		h.starter.do(h.net.make)
		h.starter.do(func() {
			if h.net.spare == nil {
				t.Error("none was made for the next start")
			}
			if now, err := os.Readlink("/proc/thread-self/ns/net"); err != nil || now != ownNamespace("net") {
				t.Errorf("the thread stays in %s, %v", now, err)
			}
		})
	}
}
