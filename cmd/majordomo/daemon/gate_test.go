package daemon

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"go.uber.org/zap"
)

// The gate lets nobody in before the daemon is ready and after it began to stop, and waits for calls but not for
// streams.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var g gate
		web := newWeb(&g, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { <-release }), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), zap.NewNop()).Handler
		get := func(method, path string) int {
			w := httptest.NewRecorder()
			web.ServeHTTP(w, httptest.NewRequest(method, path, nil))
			return w.Code
		}
		check := func(when string, ready int) {
			t.Helper()
			for path, want := range map[string]int{"/healthz": 200, "/readyz": ready, "/": 404, "/mcp/x": 404, "/metrics": ready} {
				if got := get("GET", path); got != want {
					t.Errorf("%s: %s answers %d, want %d", when, path, got, want)
				}
			}
		}
		check("before", 503)
		if got := get("POST", "/mcp"); got != 503 {
			t.Errorf("before: /mcp answers %d", got)
		}

		g.open()
		check("ready", 200)
		go get("GET", "/mcp")
		go get("POST", "/mcp")
		synctest.Wait()
		closed := make(chan struct{})
		go func() {
			g.close(t.Context())
			close(closed)
		}()
		synctest.Wait()
		check("while it waits for the call", 503)
		select {
		case <-closed:
			t.Error("the gate did not wait for the call")
		default:
		}
		close(release)
		<-closed
		check("after", 503)
	})
}

// A call that does not end is not waited for longer than it may.
func TestGateHasPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		g.open()
		g.enter()
		ctx, cancel := context.WithTimeout(t.Context(), drain)
		defer cancel()
		g.close(ctx)
		if ctx.Err() == nil {
			t.Error("the gate closed over a call")
		}
		g.leave()
	})
}
