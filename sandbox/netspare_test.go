package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// Each start has a network of its own, whether it was made ahead or not, and the thread that starts is back in the daemon's afterwards.
func TestNetworkMadeAhead(t *testing.T) {
	h := openHost(t)
	if os.Geteuid() != 0 || !h.Report().Has(Net) {
		t.Skip(t.Name(), " skipped: a network is made ahead as root only, where there are network namespaces")
	}
	ours := ownNamespace("net")
	seen := map[string]bool{ours: true}
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
			if now, err := os.Readlink("/proc/thread-self/ns/net"); err != nil || now != ours {
				t.Errorf("the thread stays in %s, %v", now, err)
			}
		})
	}
}

// The thread that starts is the process's first one now and then, and not in the daemon's network while it makes or uses the next: which
// is the daemon's own is told by the thread that asks.
func TestOwnNetworkIsOfTheThread(t *testing.T) {
	if os.Geteuid() != 0 || !openHost(t).Report().Has(Net) {
		t.Skip(t.Name(), " skipped: a network is made ahead as root only, where there are network namespaces")
	}
	ours, inside, asked := ownNamespace("net"), make(chan string), make(chan struct{})
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends here
		var n netSpare
		defer n.close()
		if n.make(); !n.enter(unix.CLONE_NEWNET) {
			t.Error("no network was made ahead")
		}
		inside <- ownNamespace("net")
		<-asked
		inside <- fmt.Sprint(n.leave())
	}()
	theirs, now := <-inside, ownNamespace("net")
	close(asked)
	if err := <-inside; err != "<nil>" {
		t.Error(err)
	}
	if ours == "" || now != ours || theirs == ours {
		t.Errorf("the daemon was in %s and is in %s, a thread that has left in %s", ours, now, theirs)
	}
}

// A thread that could not come back goes nowhere: then no network is made ahead.
func TestInNoWayBack(t *testing.T) {
	onlyOn(t, "setns")
	h, ours := openHost(t), ownNamespace("net")
	h.starter.do(h.net.make)
	h.starter.do(func() {
		if now := ownNamespace("net"); now != ours || h.net.spare != nil {
			t.Errorf("the thread that starts is in %s, not in %s", now, ours)
		}
	})
}
