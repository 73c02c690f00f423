package sandbox

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// What runs and is waited for costs the daemon no threads.
func TestWaitingTakesNoThreads(t *testing.T) {
	h := openHost(t)
	const many = 20
	end(start(t, h, connector("cat")))
	before := threads(t)
	var all []*Process
	for range many {
		all = append(all, start(t, h, connector("cat")))
	}
	if more := threads(t) - before; more > many/2 {
		t.Errorf("%d threads more for %d processes", more, many)
	}
	for _, p := range all {
		p.Stdin.Close()
		<-p.Done()
		if exit := p.Exit(); exit != (Exit{}) {
			t.Errorf("exit %+v", exit)
		}
	}
}

func threads(t *testing.T) int {
	status, err := readStatus(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(status.field("Threads")))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
