package frame

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// bigReply is a stream of one reply of n bytes that nothing holds as a whole.
func bigReply(id, n int) io.Reader {
	return io.MultiReader(strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"`, id)),
		&endless{n: n}, strings.NewReader("\"}\n"))
}

// Many big replies at once are all delivered, and never take more memory than
// the budget and the longest line, twice over for the collector.
func TestBudget(t *testing.T) {
	const size, limit, longest, readers = 8 << 20, 8 << 20, 16 << 20, 20
	b := NewBudget(limit)
	b.patience = 10 * time.Minute // the race detector is slow
	var highest atomic.Uint64
	var all sync.WaitGroup
	for id := range readers {
		all.Go(func() {
			r := NewReader(bigReply(id, size), Options{Max: longest, Budget: b})
			m, err := r.Next()
			if err != nil || m.Fault != nil || len(m.Result) != size+2 {
				t.Errorf("%d: %d bytes, %v, %v", id, len(m.Result), m.Fault, err)
			}
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			highest.Store(max(highest.Load(), now.HeapAlloc))
			runtime.KeepAlive(m)
		})
	}
	all.Wait()
	if got := highest.Load(); got > 2*(limit+longest)+32<<20 {
		t.Errorf("%d MiB were in use", got>>20)
	}
	b.settle(t)
}

// settle waits until everything was given back.
func (b *Budget) settle(t *testing.T) {
	t.Helper()
	for range 1000 {
		runtime.GC()
		b.mu.Lock()
		used, freed := b.used, b.freed
		b.mu.Unlock()
		if used == 0 {
			return
		}
		select {
		case <-freed:
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Errorf("%d bytes were never given back", b.used)
}

// While others hold all there is, a big reply fails its call, what is small
// passes, and afterwards there is room again.
func TestBudgetIsSpent(t *testing.T) {
	b := NewBudget(4 << 20)
	b.patience = time.Millisecond
	next := func(r io.Reader) Message {
		m, err := NewReader(r, Options{Budget: b}).Next()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	held := []Message{next(bigReply(1, 3<<20)), next(bigReply(2, 3<<20))} // the second went beyond
	if m := next(io.MultiReader(bigReply(3, 3<<20), strings.NewReader(two))); !errors.Is(m.Fault, ErrNoRoom) || string(m.ID) != "3" {
		t.Errorf("%s, %v", m.ID, m.Fault)
	}
	if m := next(bigReply(4, unbudgeted/2)); m.Fault != nil {
		t.Error(m.Fault)
	}
	runtime.KeepAlive(held)
	held = nil
	b.settle(t)
	if m := next(bigReply(5, 3<<20)); m.Fault != nil {
		t.Error(m.Fault)
	}
}

// Whoever waits for room stops when told to.
func TestBudgetWaitEnds(t *testing.T) {
	b := NewBudget(1 << 20)
	held := b.Lease()
	if !held.Take(2<<20, nil) {
		t.Fatal("one may go beyond")
	}
	done := make(chan struct{})
	close(done)
	if b.Lease().Take(1, done) {
		t.Error("there was room")
	}
	held.GiveBack()
	if !b.Lease().Take(1<<20, nil) {
		t.Error("there was no room")
	}
}

// A line that was too long, or broken, gives back what it held.
func TestBudgetOfFaults(t *testing.T) {
	b := NewBudget(8 << 20)
	long := strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 2<<20) + "\"}\n")
	broken := strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("\xff", 200<<10) + "\",}\n" + two)
	r := NewReader(io.MultiReader(long, broken), Options{Max: 1 << 20, Budget: b})
	for {
		if _, err := r.Next(); err != nil {
			break
		}
	}
	b.settle(t)
}

// A limit that is raised is there for who waits already.
func TestBudgetIsRaised(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(100)
		first, second, third := b.Lease(), b.Lease(), b.Lease()
		if !first.Take(90, nil) || !second.Take(90, nil) {
			t.Fatal("one at a time may go beyond the limit")
		}
		got := make(chan bool, 1)
		go func() { got <- third.Take(90, nil) }()
		synctest.Wait()
		select {
		case <-got:
			t.Error("there was room for a third")
		default:
		}
		b.SetLimit(1000)
		synctest.Wait()
		select {
		case ok := <-got:
			if !ok {
				t.Error("refused, with room for it")
			}
		default:
			t.Error("it waits, with room for it")
		}
	})
}
