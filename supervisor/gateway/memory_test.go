package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"majordomo/mcpclient/frame"
)

// heap is the memory in use, at its highest while work was done.
func heap(work func(sample func())) uint64 {
	var highest atomic.Uint64
	work(func() {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		for h := highest.Load(); now.HeapAlloc > h && !highest.CompareAndSwap(h, now.HeapAlloc); h = highest.Load() {
		}
	})
	return highest.Load()
}

// Large requests at once wait for each other: what the gateway holds of them
// stays within the budget, whatever many agents send.
func TestLargeRequestsAreBounded(t *testing.T) {
	const size, limit, agents = 4 << 20, 4 << 20, 12
	h, _ := serve(t)
	g := New(Options{Door: h, Tokens: h, Budget: frame.NewBudget(limit)})
	t.Cleanup(g.Close)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"x":"` + strings.Repeat("x", size) + `"}}}`
	var served atomic.Int64
	highest := heap(func(sample func()) {
		h.call = func(_ context.Context, _, _ string, args json.RawMessage) (json.RawMessage, error) {
			sample()
			if len(args) >= size {
				served.Add(1)
			}
			return json.RawMessage(`{}`), nil
		}
		var all sync.WaitGroup
		for range agents {
			all.Go(func() {
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				if g.ServeMember(w, r, "ann"); w.Code != http.StatusOK {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			})
		}
		all.Wait()
	})
	// The body of the test itself; the budget and one beyond it, each twice while a
	// buffer grows, and all of that twice for the collector.
	if bound := uint64(size + 4*(limit+2*size) + 16<<20); served.Load() != agents || highest > bound {
		t.Errorf("%d served, %d MiB in use at once, want at most %d", served.Load(), highest>>20, bound>>20)
	}
}

// A call that waits for its answer holds nothing of the request but what was
// handed on.
func TestWaitingCallHoldsNothing(t *testing.T) {
	h, _ := serve(t)
	budget := frame.NewBudget(4 << 20)
	g := New(Options{Door: h, Tokens: h, Budget: budget})
	t.Cleanup(g.Close)
	arrived, release := make(chan bool), make(chan bool)
	h.call = func(context.Context, string, string, json.RawMessage) (json.RawMessage, error) {
		arrived <- true
		<-release
		return json.RawMessage(`{}`), nil
	}
	var call sync.WaitGroup
	call.Go(func() {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"x":"` + strings.Repeat("x", 3<<20) + `"}}}`
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		g.ServeMember(httptest.NewRecorder(), r, "ann")
	})
	<-arrived
	// All of the budget is free again, for nobody holds the request.
	if l := budget.Lease(); !l.Take(1<<20, nil) || !l.Take(3<<20, within(t).Done()) {
		t.Error("the request is held")
	} else {
		l.GiveBack()
	}
	close(release)
	call.Wait()
}

// Who finds no room is told so, in time.
func TestNoRoomForRequest(t *testing.T) {
	h, _ := serve(t)
	budget := frame.NewBudget(1 << 20)
	g := New(Options{Door: h, Tokens: h, Budget: budget})
	t.Cleanup(g.Close)
	held := budget.Lease()
	if !held.Take(2<<20, nil) {
		t.Fatal("one may go beyond")
	}
	defer held.GiveBack()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(strings.Repeat(" ", 1<<20)))
	r.Header.Set("Content-Type", "application/json")
	if g.ServeMember(w, r, "ann"); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "try again") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A large result is written, not copied.
func TestResultsAreNotCopied(t *testing.T) {
	h, _ := serve(t)
	g := New(Options{Door: h, Tokens: h})
	t.Cleanup(g.Close)
	result := json.RawMessage(`{"x":"` + strings.Repeat("x", 32<<20) + `"}`)
	h.call = func(context.Context, string, string, json.RawMessage) (json.RawMessage, error) { return result, nil }
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}]`))
	r.Header.Set("Content-Type", "application/json")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := &counter{header: http.Header{}}
	g.ServeMember(w, r, "ann")
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; w.n < len(result) || got > 8<<20 {
		t.Errorf("%d bytes were written and %d allocated", w.n, got)
	}
}

// counter is a http.ResponseWriter that keeps nothing.
type counter struct {
	header http.Header
	n      int
}

func (c *counter) Header() http.Header { return c.header }
func (c *counter) WriteHeader(int)     {}
func (c *counter) Write(b []byte) (int, error) {
	c.n += len(b)
	return len(b), nil
}
