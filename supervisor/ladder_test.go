package supervisor

import (
	"fmt"
	"testing"
	"time"
)

func TestLadder(t *testing.T) {
	crash := func(words string) failure {
		return failure{words: words, served: time.Second}
	}
	quick := func(words string) failure { return failure{words: words, quick: true} }
	for _, c := range []struct {
		why   string
		fails []failure
		want  []prospect
	}{
		{"a missing module: nobody is bothered, but it may be installed",
			[]failure{quick("[12:01:02] no module x"), quick("[12:01:03] no module x"), quick("[12:01:05] no module x"), quick("[12:16:05] no module x")},
			[]prospect{again, again, rarely, rarely}},
		{"different words are different faults",
			[]failure{quick("a"), quick("b"), quick("a"), quick("b"), quick("a"), quick("b"), quick("a"), quick("b")},
			[]prospect{again, again, again, again, again, again, again, rarely}},
		{"killed from outside, or no network: it may get better", []failure{crash("a"), crash("a"), crash("a"), crash("a")}, []prospect{again, again, again, again}},
		{"the budget", []failure{crash("a"), crash("b"), crash("c"), crash("d"), crash("e"), crash("f"), crash("g"), crash("h"), crash("i")},
			[]prospect{again, again, again, again, again, again, again, rarely, rarely}},
		{"a crash between starts that fail alike", []failure{quick("a"), quick("a"), crash("a"), quick("a"), quick("a")}, []prospect{again, again, again, again, again}},
		{"somebody may install it", []failure{{words: "no node", hope: rarely}, {words: "no node", hope: rarely}}, []prospect{rarely, rarely}},
		{"nothing to try again", []failure{{words: "a value is missing", hope: never}}, []prospect{never}},
	} {
		l := newLadder()
		for i, f := range c.fails {
			if _, got := l.fail(f); got != c.want[i] {
				t.Errorf("%s: failure %d: got %d, want %d", c.why, i+1, got, c.want[i])
			}
		}
	}
}

func TestLadderWaitsAndForgets(t *testing.T) {
	l := newLadder()
	base := firstBackoff
	for i := range tries - 1 {
		wait, _ := l.fail(failure{words: fmt.Sprint(i)})
		if low, high := base/2, base+1; wait < low || wait > high {
			t.Errorf("failure %d: waits %v, want %v to %v", i+1, wait, low, high)
		}
		base = min(2*base, maxBackoff)
	}
	if wait, verdict := l.fail(failure{words: "x", served: steady - 1}); wait != slowRetry || verdict != rarely {
		t.Errorf("its budget spent, it waits %v", wait)
	}
	if wait, _ := l.fail(failure{words: "x", served: steady}); wait > firstBackoff {
		t.Errorf("after a steady hour it waits %v", wait)
	}
}
